/// <reference types="node" preserve="true" />
// See index.ts.
import 'node:http';
import type http = require('node:http');
import { host } from '../http/host.js';

/**
 * `nonstop/http`: node's `http` module, name for name, whose servers are served by the engine.
 *
 * All client functions are node's own. This module adds `accelerate`, `isAccelerated` and `explainAcceleration`.
 *
 * @see https://nodejs.org/api/http.html
 */
const nonstopHttp = host.httpModule as typeof http & nonstopHttp.Accelerator;

/** The types of node's `http` that server code uses; they are node's own. */
namespace nonstopHttp {
  /** Why node serves a server's connections. */
  export type LeftReason =
    /** The server has not been accelerated. */
    | 'not-asked'
    /** It is not an `http.Server` or `https.Server`. */
    | 'not-a-server'
    /** `NONSTOP_ENGINE`, or the setting `http engine` of its application, is `node`. */
    | 'switched-off'
    /** Its options have an own `IncomingMessage` or `ServerResponse` class. */
    | 'message-classes'
    /** It has `insecureHTTPParser` or a relaxed `httpValidation`. */
    | 'lenient-parser'
    /** Node's listener for its connections was replaced. */
    | 'listener-replaced'
    /** This is Bun or Deno, whose own HTTP server serves it. */
    | 'other-runtime'
    /** This Node is older than 20.19.2. */
    | 'old-node'
    /** This version of Node has something that Nonstop does not know: state of its messages, a method, or an option that the server has; or the program
     * has frozen prototypes of node's. */
    | 'unknown-node'
    /** Another copy of Nonstop, loaded before, lacks something that this copy needs. */
    | 'older-copy';

  /** Whether the engine serves a server's connections, and if not, why. */
  export interface Acceleration {
    /** Whether the engine serves them. */
    readonly accelerated: boolean;
    /** Undefined if the engine serves them. */
    readonly reason: LeftReason | undefined;
  }

  // Written out instead of `typeof httpModule`, which would show the engine's internal types.
  /** The functions that this module adds to node's. */
  export interface Accelerator {
    /**
     * Lets the engine serve all connections that an `http.Server` or `https.Server` accepts from now on. It can be called
     * again. It does not throw if it cannot do so: {@link explainAcceleration} returns the reason.
     *
     * @param server may be listening already
     * @param prototypes the prototypes of requests and responses, which must inherit from those of `IncomingMessage` and `ServerResponse` of this
     *   module and have no member that a message has itself, or are not used; default those
     * @returns whether the engine serves the server; false for example for own message classes or a lenient parser
     */
    accelerate(server: http.Server, prototypes?: { readonly request: object; readonly response: object }): boolean;

    /**
     * Whether the engine serves the connections that a server accepts: after {@link accelerate}, through an application,
     * or through a preload.
     *
     * @param server is not changed
     */
    isAccelerated(server: http.Server): boolean;

    /**
     * Whether the engine serves a server's connections, and if not, the reason. `DEBUG=nonstop` prints these as they are
     * decided.
     *
     * @param server is not changed
     * @returns `{ accelerated, reason }`
     */
    explainAcceleration(server: http.Server): Acceleration;
  }

  type RequestClass = typeof http.IncomingMessage;
  type ResponseClass<Req extends RequestClass> = typeof http.ServerResponse<InstanceType<Req>>;

  export type Agent = http.Agent;
  export type AgentOptions = http.AgentOptions;
  export type ClientRequest = http.ClientRequest;
  export type ClientRequestArgs = http.ClientRequestArgs;
  export type IncomingHttpHeaders = http.IncomingHttpHeaders;
  export type IncomingMessage = http.IncomingMessage;
  export type InformationEvent = http.InformationEvent;
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
