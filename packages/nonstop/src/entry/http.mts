/**
 * node's `http` module, name for name, whose servers are served by the engine. Clients are node's own.
 *
 * `accelerate`, `isAccelerated` and `explainAcceleration` are what this module adds.
 *
 * @module nonstop/http
 */
import nonstopHttp from './http.js';

/*
 * One instance, however it is loaded. The names are those that node's `http` has on every supported version; what later
 * ones add (`WebSocket`, …) is on the default export.
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
// By their names in the module: what a destructured function is inferred to be has no comments that an editor could show.
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
// A type that shares its name with a value above is declared beside it: the value would hide a re-export.
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
