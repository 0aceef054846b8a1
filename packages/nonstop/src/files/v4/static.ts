import { serveFiles, type StaticHandler, type StaticOptions } from '../static.js';
import { files4 } from './dialect.js';
import { mime, type Mime } from './mime.js';

/** `express.static`, with the media types that it knows. */
export interface Static {
  (root: string, options?: StaticOptions | null): StaticHandler;
  mime: Mime;
}

/** Serves the files below a folder to GET and HEAD. What it throws is said of `express.static` of Express 5. */
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
