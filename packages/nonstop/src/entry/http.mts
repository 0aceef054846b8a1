import nonstopHttp from './http.js';

/*
 * One instance, however it is loaded. The names are those that node's `http` has on every supported version; what later
 * ones add (`WebSocket`, …) is on the default export.
 */
export const {
  accelerate,
  Agent,
  ClientRequest,
  createServer,
  explainAcceleration,
  get,
  globalAgent,
  IncomingMessage,
  isAccelerated,
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
export { nonstopHttp as default };

export type {
  AgentOptions,
  IncomingHttpHeaders,
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
  RequestListener,
  RequestOptions,
  ServerOptions,
} from './http.js';
// A type that shares its name with a value above is declared beside it: the value would hide a re-export.
export type Acceleration = nonstopHttp.Acceleration;
export type LeftReason = nonstopHttp.LeftReason;
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
