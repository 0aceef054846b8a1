import type { AddedToLocals, IfAlone } from './foreign.js';

/**
 * The interfaces that an application, or a middleware package, opens to say what it adds.
 *
 * They live in the global namespace `Express` because that is where the types of passport, multer, express-session,
 * cookie-parser and their kin already add to them. What is declared there is seen on every `req`, `res`, `app` and `locals`:
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
  // A namespace is the only declaration that other packages can merge with; see above for who does.
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

/** What others have added to every request. */
export type OpenRequest = IfAlone<Express.Request>;

/** What others have added to every response. */
export type OpenResponse = IfAlone<Express.Response>;

/** What others have added to every application. */
export type OpenApplication = IfAlone<Express.Application>;

/** `app.locals` and `res.locals`, as far as every application agrees on them. */
export interface Locals extends IfAlone<Express.Locals>, AddedToLocals<never> {}
