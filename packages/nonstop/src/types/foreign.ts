// If that package is not installed, the compiler ignores the import, and nothing is added.
/** @ts-ignore */
import type core = require('express-serve-static-core');

/** The members of `T` without these; none if `T` could not be found. */
type Beyond<T, Members> = 0 extends 1 & T ? object : Pick<T, Exclude<keyof T, Members>>;

// If they are found, they include it, and their type of a member holds: a member must come from one place only, or a request of one package
// could not be assigned to that of the other.
/** What the global namespace declares, if Express's types could not be found. */
// By `keyof`: a conditional that compares with a type which could not be found has no members.
export type IfAlone<Declared> = string extends keyof core.Request ? Declared : object;

/**
 * What has been added to the requests of `express-serve-static-core`, in which applications and packages written for
 * Express declare what they add: `declare module 'express-serve-static-core' { interface Request { user: User } }`.
 *
 * @typeParam Members the names that a request has anyway
 */
export type AddedToRequest<Members> = Beyond<core.Request, Members>;

/** The same for responses. */
export type AddedToResponse<Members> = Beyond<core.Response, Members>;

/** The same for applications, with what has been added to all routers. */
export type AddedToApplication<Members> = Beyond<core.Application, Members>;

/** `T` without what programs have added to applications: if both declare a member, such as `handle`, the program's holds. */
export type NotAddedToApplication<T> = string extends keyof core.Application
  ? T
  : Pick<T, Exclude<keyof T, keyof core.Application>>;

/** What has been added to what `express()` returns. */
export type AddedToExpress<Members> = Beyond<core.Express, Members>;

/** The same for routers and applications. */
export type AddedToIRouter<Members> = Beyond<core.IRouter, Members>;

/** The same for what `Router()` returns. */
export type AddedToRouter<Members> = Beyond<core.Router, Members>;

/** The same for the options of cookies. */
export type AddedToCookieOptions<Members> = Beyond<core.CookieOptions, Members>;

/** The same for `app.locals` and `res.locals`. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- filled by what programs declare
export type AddedToLocals<Members> = Beyond<core.Locals, Members>;
