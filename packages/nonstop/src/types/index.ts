/** The public types, for the entries. */
export type { Application, ApplicationRequestHandler, Express, NonstopExpress, SettingName } from './application.js';
export type { Framework } from './framework.js';
export type { Locals } from './global.js';
export type {
  Errback,
  ErrorRequestHandler,
  Handler,
  NextFunction,
  RequestHandler,
  RequestHandlerParams,
  RequestParamHandler,
  ViewEngine,
} from './handlers.js';
export type {
  BodyOptions,
  JsonOptions,
  NodeMiddleware,
  ServeStaticOptions,
  TextOptions,
  UrlencodedOptions,
} from './middleware.js';
export type {
  Params,
  ParamsDictionary,
  ParamsFlatDictionary,
  PathParams,
  RouteParameters,
} from './params-from-path.js';
export type { ByteRange, MediaType, Query, RangeOptions, Request, RequestRanges } from './request.js';
export type {
  CookieOptions,
  DownloadOptions,
  FormatHandlers,
  HeaderValue,
  Response,
  Send,
  SendFileOptions,
} from './response.js';
export type { IRoute, Route } from './route.js';
export type {
  ILayer,
  IRouter,
  IRouterHandler,
  IRouterMatcher,
  ListedRoute,
  NonstopRouter,
  Router,
  RouterOptions,
} from './router.js';
export type { TracedError, TracedLayer, TracedRequest, TracedRoute } from './tracing.js';
export type { Untyped, UntypedRecord } from './untyped.js';
