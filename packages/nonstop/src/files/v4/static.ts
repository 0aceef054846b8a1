import { serveFiles, type StaticHandler, type StaticOptions } from '../static.js';
import { files4 } from './dialect.js';
import { mime, type Mime } from './mime.js';

/** `express.static` with its property `mime`. */
export interface Static {
  (root: string, options?: StaticOptions | null): StaticHandler;
  mime: Mime;
}

/** Serves the files of a folder for GET and HEAD. Throws what `express.static` of Express 5 throws. */
export const staticOf4 = function serveStatic(root, options) {
  return serveFiles(files4, root, options);
} as Static;

Object.defineProperty(staticOf4, 'mime', {
  configurable: true,
  enumerable: true,
  get: mime,
  set(value: unknown) {
    Object.defineProperty(this, 'mime', { value, writable: true, enumerable: true, configurable: true });
  },
});
