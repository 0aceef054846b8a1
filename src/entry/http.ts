import type http = require('node:http');
import { httpModule } from '../http/module.js';

// Written out, and not `typeof httpModule`: the types of the engine's inside are no business of a program's.
interface Accelerator {
  /**
   * Hands the connections that a genuine `http.Server` or `https.Server` will accept from now on to the engine, whoever
   * made it. Safe to call again.
   *
   * @param prototypes what requests and responses inherit from; default `IncomingMessage` and `ServerResponse` of this module
   * @returns whether the engine serves them; not with message classes of its own or a lenient parser
   */
  accelerate(server: http.Server, prototypes?: { readonly request: object; readonly response: object }): boolean;
}

/**
 * `nonstop/http`: node's `http` module, name for name, whose servers are served by the engine.
 *
 * Everything that has to do with clients is node's own; `accelerate` is what this module adds.
 *
 * @see https://nodejs.org/api/http.html
 */
const nonstopHttp = httpModule as unknown as typeof http & Accelerator;

/** The types of node's `http` that a server's code names; they are node's, because the servers are. */
namespace nonstopHttp {
  type RequestClass = typeof http.IncomingMessage;
  type ResponseClass<Req extends RequestClass> = typeof http.ServerResponse<InstanceType<Req>>;

  export type Agent = http.Agent;
  export type AgentOptions = http.AgentOptions;
  export type ClientRequest = http.ClientRequest;
  export type IncomingHttpHeaders = http.IncomingHttpHeaders;
  export type IncomingMessage = http.IncomingMessage;
  export type OutgoingHttpHeader = http.OutgoingHttpHeader;
  export type OutgoingHttpHeaders = http.OutgoingHttpHeaders;
  export type OutgoingMessage = http.OutgoingMessage;
  export type RequestListener<
    Req extends RequestClass = RequestClass,
    Res extends ResponseClass<Req> = typeof http.ServerResponse,
  > = http.RequestListener<Req, Res>;
  export type RequestOptions = http.RequestOptions;
  export type Server<
    Req extends RequestClass = RequestClass,
    Res extends ResponseClass<Req> = typeof http.ServerResponse,
  > = http.Server<Req, Res>;
  export type ServerOptions<
    Req extends RequestClass = RequestClass,
    Res extends ResponseClass<Req> = typeof http.ServerResponse,
  > = http.ServerOptions<Req, Res>;
  export type ServerResponse<Req extends http.IncomingMessage = http.IncomingMessage> = http.ServerResponse<Req>;
}

export = nonstopHttp;
