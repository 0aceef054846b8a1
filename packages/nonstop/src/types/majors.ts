import type four = require('./v4/index.js');
import type five = require('./index.js');
import type { UntypedRecord } from './untyped.js';

/**
 * The majors of Express that are served. What both have is declared once, with the major as its first type parameter. The tables below
 * give the types that differ, by major.
 */
export type Major = 4 | 5;

/** Requests, responses and handlers. */
export interface Messages<P, ResBody, ReqBody, ReqQuery, LocalsObj extends UntypedRecord> {
  4: {
    request: four.Request<P, ResBody, ReqBody, ReqQuery, LocalsObj>;
    response: four.Response<ResBody, LocalsObj>;
    handler: four.RequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>;
    errorHandler: four.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>;
  };
  5: {
    request: five.Request<P, ResBody, ReqBody, ReqQuery, LocalsObj>;
    response: five.Response<ResBody, LocalsObj>;
    handler: five.RequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>;
    errorHandler: five.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, LocalsObj>;
  };
}

/** `req.params` of a path. */
export interface ParamsOf<Pattern extends five.PathParams> {
  4: four.RouteParameters<Pattern>;
  5: five.RouteParameters<Pattern>;
}

/** The types that depend only on the major. */
export interface Named {
  4: {
    request: four.Request;
    response: four.Response;
    params: four.ParamsDictionary;
    handler: four.RequestHandler;
    paramHandler: four.RequestParamHandler;
    application: four.Application;
    layer: four.ILayer;
    route: four.IRoute;
    /** What a call of a handler returns. `@types/express` 4 says void, so that `return handler(req, res, next)` fits a function without a result. */
    returned: void;
  };
  5: {
    request: five.Request;
    response: five.Response;
    params: five.ParamsDictionary;
    handler: five.RequestHandler;
    paramHandler: five.RequestParamHandler;
    application: five.Application;
    layer: five.ILayer;
    route: five.IRoute;
    returned: unknown;
  };
}
