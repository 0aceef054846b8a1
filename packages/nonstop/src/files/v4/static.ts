import { defineOwn } from '../../core/define-own.js';
import type { NodeMiddleware, ServeStaticOptions } from '../../types/middleware.js';
import type { Framework } from '../../types/v4/application.js';
import type { Response } from '../../types/v4/messages.js';
import { serveFiles } from '../static.js';
import { files4 } from './dialect.js';
import { programsMime } from './mime.js';

/** Serves the files of a folder for GET and HEAD. Throws what `express.static` of Express 5 throws. */
export const staticOf4 = Object.defineProperty(
  function serveStatic(root: string, options?: ServeStaticOptions<Response> | null): NodeMiddleware<Response> {
    return serveFiles(files4, root, options);
  },
  'mime',
  {
    configurable: true,
    enumerable: true,
    get: programsMime,
    set(value: unknown) {
      defineOwn(this as object, 'mime', value);
    },
  },
) as Framework['static'];
