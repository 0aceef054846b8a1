/// <reference types="node" preserve="true" />
// Agents wait for a program that loads it, as Express does: Nonstop may have loaded it before the agent came.
import 'node:http';
import type { ServerResponse } from 'node:http';
import { express } from '../express/v4/express.js';
import type types = require('../types/v4/index.js');

const nonstop = express as types.Framework;

/** Express 4: `express()` makes an application. It also holds the types, such as `express.Request`. */
namespace nonstop {
  type Untyped = types.Untyped;
  type UntypedRecord = types.UntypedRecord;

  export interface Request<
    P = ParamsDictionary,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  > extends types.Request<P, ResBody, ReqBody, ReqQuery, LocalsObj> {}

  export type RequestHandler<
    P = ParamsDictionary,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  > = types.RequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>;

  export type ErrorRequestHandler<
    P = ParamsDictionary,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  > = types.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>;

  export type RequestHandlerParams<
    P = ParamsDictionary,
    ResBody = Untyped,
    ReqBody = Untyped,
    ReqQuery = Query,
    LocalsObj extends UntypedRecord = UntypedRecord,
  > = types.RequestHandlerParams<P, ResBody, ReqBody, ReqQuery, LocalsObj>;

  export interface Response<
    ResBody = Untyped,
    LocalsObj extends UntypedRecord = UntypedRecord,
    StatusCode extends number = number,
  > extends types.Response<ResBody, LocalsObj, StatusCode> {}

  export type Application<LocalsObj extends UntypedRecord = UntypedRecord> = types.Application<LocalsObj>;
  export type ApplicationRequestHandler<T> = types.ApplicationRequestHandler<T>;
  export type IRoute<Pattern extends string | RegExp = string> = types.IRoute<Pattern>;
  export type IRouterHandler<T, Pattern extends string | RegExp = string> = types.IRouterHandler<T, Pattern>;
  export type IRouterMatcher<T, Method extends string = string> = types.IRouterMatcher<T, Method>;
  export type NodeMiddleware<Res extends ServerResponse = ServerResponse> = types.NodeMiddleware<Res>;
  export type NonstopExpress = types.NonstopExpress;
  export type NonstopRouter = types.NonstopRouter;
  export type Route<Pattern extends string | RegExp = string> = types.Route<Pattern>;
  export type RouteParameters<Pattern extends PathParams> = types.RouteParameters<Pattern>;
  export type Send<ResBody = Untyped, T = Response<ResBody>> = types.Send<ResBody, T>;
  export type ServeStaticOptions<Res extends ServerResponse = Response> = types.ServeStaticOptions<Res>;
  export type BodyOptions = types.BodyOptions;
  export type ByteRange = types.ByteRange;
  export type CookieOptions = types.CookieOptions;
  export type DownloadOptions = types.DownloadOptions;
  export type Errback = types.Errback;
  export type Express = types.Express;
  export type Framework = types.Framework;
  export type Handler = types.Handler;
  export type HeaderValue = types.HeaderValue;
  export type ILayer = types.ILayer;
  export type IRouter = types.IRouter;
  export type JsonOptions = types.JsonOptions;
  export type Locals = types.Locals;
  export type MediaType = types.MediaType;
  export type Mime = types.Mime;
  export type NextFunction = types.NextFunction;
  export type Params = types.Params;
  export type ParamsDictionary = types.ParamsDictionary;
  export type PathParams = types.PathParams;
  export type Query = types.Query;
  export type RangeOptions = types.RangeOptions;
  export type RequestParamHandler = types.RequestParamHandler;
  export type RequestRanges = types.RequestRanges;
  export type Router = types.Router;
  export type RouterOptions = types.RouterOptions;
  export type SendFileOptions = types.SendFileOptions;
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
