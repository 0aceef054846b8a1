import type { AddedToLocals, IfAlone } from './foreign.js';

/**
 * The interfaces to which an application, or a middleware package, adds its members.
 *
 * They are in the global namespace `Express`, because the types of passport, multer, express-session, cookie-parser and
 * others add to them there. What is declared there is seen on every `req`, `res`, `app` and `locals`:
 *
 * ```ts
 * declare global {
 *   namespace Express {
 *     interface Request { user?: { id: number; name: string } }
 *     interface Locals { title: string }
 *   }
 * }
 * ```
 */
declare global {
  // A namespace is the only declaration that other packages can merge with.
  namespace Express {
    /** Members added to every request, e.g. `user` or `session`. */
    interface Request {}

    /** Members added to every response, e.g. `flush` by a compressor. */
    interface Response {}

    /** What `app.locals` and `res.locals` are known to hold. */
    interface Locals {}

    /** Members added to every application, e.g. `ws` by a WebSocket package. */
    interface Application {}
  }
}

/** Members that others have added to every request. */
export type OpenRequest = IfAlone<Express.Request>;

/** Members that others have added to every response. */
export type OpenResponse = IfAlone<Express.Response>;

/** Members that others have added to every application. */
export type OpenApplication = IfAlone<Express.Application>;

/** The members of `app.locals` and `res.locals` that are declared globally. */
export interface Locals extends IfAlone<Express.Locals>, AddedToLocals<never> {}
