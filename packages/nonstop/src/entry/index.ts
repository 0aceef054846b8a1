/// <reference types="node" preserve="true" />
// Agents wait for a program that loads it, as Express does: Nonstop may have loaded it before the agent came.
import 'node:http';
import type { ServerResponse } from 'node:http';
import { express } from '../express/express.js';
import type types = require('../types/index.js');

// The implementation uses the public types for its options, verbs, getters and prototypes. The assertion is necessary because Express's
// types promise more than is true: that `express.application` is a whole application, that a route's path is a string. The compiler still
// refuses it if a member has another type.
const nonstop = express as types.Framework;

// The aliases repeat their type parameters. Only a namespace of types may share its name with the constant above, and with `export import` or
// `export { }` in it the compiler takes it for more than types.
/** Express 5: `express()` makes an application. It also holds the types, such as `express.Request`. */
namespace nonstop {
  type Untyped = types.Untyped;
  type UntypedRecord = types.UntypedRecord;

  // These two are interfaces: programs and packages declare members for them in the module of the framework, as in `@types/express`.
  /** A request, by the types of `req.params`, of the response's body, of `req.body`, `req.query` and `res.locals`. */
  export interface Request<
    P = ParamsDictionary,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  > extends types.Request<P, ResBody, ReqBody, ReqQuery, LocalsObj> {}

  /** A response, by the types of its body, of `res.locals` and of the statuses it may have. */
  export interface Response<
    ResBody = Untyped,
    LocalsObj extends UntypedRecord = UntypedRecord,
    StatusCode extends number = number,
  > extends types.Response<ResBody, LocalsObj, StatusCode> {}

  /** A middleware, or the end of a route; type parameters as those of {@link Request}. */
  export type RequestHandler<
    P = ParamsDictionary,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  > = types.RequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>;

  /** An error handler, recognised by its four parameters; type parameters as those of {@link Request}. */
  export type ErrorRequestHandler<
    P = ParamsDictionary,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  > = types.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>;

  /** The arguments of a route or of `use` after the path; type parameters as those of {@link Request}. */
  export type RequestHandlerParams<
    P = ParamsDictionary,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  > = types.RequestHandlerParams<P, ResBody, ReqBody, ReqQuery, LocalsObj>;

  export type Application<LocalsObj extends UntypedRecord = UntypedRecord> = types.Application<LocalsObj>;
  export type ApplicationRequestHandler<T> = types.ApplicationRequestHandler<T>;
  export type BodyOptions = types.BodyOptions;
  export type ByteRange = types.ByteRange;
  export type CookieOptions = types.CookieOptions;
  export type DownloadOptions = types.DownloadOptions;
  export type Errback = types.Errback;
  export type Express = types.Express;
  export type FormatHandlers = types.FormatHandlers;
  export type Framework = types.Framework;
  export type Handler = types.Handler;
  export type HeaderValue = types.HeaderValue;
  export type ILayer = types.ILayer;
  export type IRoute<Pattern extends string | RegExp = string> = types.IRoute<Pattern>;
  export type IRouter = types.IRouter;
  export type IRouterHandler<T, Pattern extends string | RegExp = string> = types.IRouterHandler<T, Pattern>;
  export type IRouterMatcher<T, Method extends string = string> = types.IRouterMatcher<T, Method>;
  export type JsonOptions = types.JsonOptions;
  export type ListedRoute = types.ListedRoute;
  export type Locals = types.Locals;
  export type MediaType = types.MediaType;
  export type NextFunction = types.NextFunction;
  export type NodeMiddleware<Res extends ServerResponse = ServerResponse> = types.NodeMiddleware<Res>;
  export type NonstopExpress = types.NonstopExpress;
  export type NonstopRouter = types.NonstopRouter;
  export type Params = types.Params;
  export type ParamsDictionary = types.ParamsDictionary;
  export type ParamsFlatDictionary = types.ParamsFlatDictionary;
  export type PathParams = types.PathParams;
  export type Query = types.Query;
  export type RangeOptions = types.RangeOptions;
  export type RequestParamHandler = types.RequestParamHandler;
  export type RequestRanges = types.RequestRanges;
  export type Route<Pattern extends string | RegExp = string> = types.Route<Pattern>;
  export type RouteParameters<Pattern extends PathParams> = types.RouteParameters<Pattern>;
  export type Router = types.Router;
  export type RouterOptions = types.RouterOptions;
  export type Send<ResBody = Untyped, T = Response<ResBody>> = types.Send<ResBody, T>;
  export type SendFileOptions = types.SendFileOptions;
  export type ServeStaticOptions<Res extends ServerResponse = Response> = types.ServeStaticOptions<Res>;
  export type SettingName = types.SettingName;
  export type TextOptions = types.TextOptions;
  export type TracedError = types.TracedError;
  export type TracedLayer = types.TracedLayer;
  export type TracedRequest = types.TracedRequest;
  export type TracedRoute = types.TracedRoute;
  export type UrlencodedOptions = types.UrlencodedOptions;
  export type ViewEngine = types.ViewEngine;
}

export = nonstop;
