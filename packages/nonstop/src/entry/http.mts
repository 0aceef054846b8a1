/**
 * node's `http` module, name for name, whose servers are served by the engine. Clients are node's own.
 *
 * This module adds `accelerate`, `isAccelerated` and `explainAcceleration`.
 *
 * @module nonstop/http
 */
import nonstopHttp from './http.js';

/*
 * The same instance for `require` and `import`. The named exports are those that node's `http` has in every supported
 * version; names of later versions (`WebSocket`, …) are on the default export.
 */
export const {
  Agent,
  ClientRequest,
  createServer,
  get,
  globalAgent,
  IncomingMessage,
  maxHeaderSize,
  METHODS,
  OutgoingMessage,
  request,
  Server,
  ServerResponse,
  setMaxIdleHTTPParsers,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} = nonstopHttp;
// Named one by one, because editors show no doc comments for the inferred types of destructured functions.
export const accelerate: nonstopHttp.Accelerator['accelerate'] = nonstopHttp.accelerate;
export const isAccelerated: nonstopHttp.Accelerator['isAccelerated'] = nonstopHttp.isAccelerated;
export const explainAcceleration: nonstopHttp.Accelerator['explainAcceleration'] = nonstopHttp.explainAcceleration;
export { nonstopHttp as default };

export type {
  Acceleration,
  Accelerator,
  AgentOptions,
  IncomingHttpHeaders,
  LeftReason,
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
  RequestListener,
  RequestOptions,
  ServerOptions,
} from './http.js';
// Types that share a name with a value are declared here, because the value would hide a re-export.
export type Agent = nonstopHttp.Agent;
export type ClientRequest = nonstopHttp.ClientRequest;
export type IncomingMessage = nonstopHttp.IncomingMessage;
export type OutgoingMessage = nonstopHttp.OutgoingMessage;
export type Server<
  Req extends typeof nonstopHttp.IncomingMessage = typeof nonstopHttp.IncomingMessage,
  Res extends typeof nonstopHttp.ServerResponse<InstanceType<Req>> = typeof nonstopHttp.ServerResponse,
> = nonstopHttp.Server<Req, Res>;
export type ServerResponse<Req extends nonstopHttp.IncomingMessage = nonstopHttp.IncomingMessage> =
  nonstopHttp.ServerResponse<Req>;
