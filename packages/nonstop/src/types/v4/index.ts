/** The public types of `nonstop/v4`: those of Express 5 where they are the same. */
export type {
  BodyOptions,
  ByteRange,
  CookieOptions,
  DownloadOptions,
  HeaderValue,
  JsonOptions,
  Locals,
  MediaType,
  NextFunction,
  NodeMiddleware,
  PathParams,
  Query,
  RangeOptions,
  RequestRanges,
  RouterOptions,
  Send,
  SendFileOptions,
  ServeStaticOptions,
  SettingName,
  TextOptions,
  TracedError,
  TracedLayer,
  TracedRequest,
  TracedRoute,
  UrlencodedOptions,
  ViewEngine,
} from '../index.js';
export type {
  Application,
  ApplicationRequestHandler,
  Express,
  Framework,
  Mime,
  NonstopExpress,
} from './application.js';
export type {
  Errback,
  ErrorRequestHandler,
  Handler,
  Request,
  RequestHandler,
  RequestHandlerParams,
  RequestParamHandler,
  Response,
} from './messages.js';
export type { Params, ParamsDictionary, RouteParameters } from './params.js';
export type {
  ILayer,
  IRoute,
  IRouter,
  IRouterHandler,
  IRouterMatcher,
  NonstopRouter,
  Route,
  Router,
} from './routing.js';
export type { Untyped, UntypedRecord } from '../untyped.js';
