import type http = require('node:http');
import { host } from '../http/host.js';

/**
 * `nonstop/http`: node's `http` module, name for name, whose servers are served by the engine.
 *
 * Everything that has to do with clients is node's own; `accelerate`, `isAccelerated` and `explainAcceleration` are what this module
 * adds.
 *
 * @see https://nodejs.org/api/http.html
 */
const nonstopHttp = host.httpModule as unknown as typeof http & nonstopHttp.Accelerator;

/** The types of node's `http` that a server's code names; they are node's, because the servers are. */
namespace nonstopHttp {
  /** Why node serves a server's connections. */
  export type LeftReason =
    /** Nobody has handed the server to the engine so far. */
    | 'not-asked'
    /** It is no `http.Server` and no `https.Server`. */
    | 'not-a-server'
    /** `NONSTOP_ENGINE`, or the setting `http engine` of its application, says node. */
    | 'switched-off'
    /** It has an `IncomingMessage` or `ServerResponse` class of its own. */
    | 'message-classes'
    /** `insecureHTTPParser` or a relaxed `httpValidation`. */
    | 'lenient-parser'
    /** Another listener is in the place of node's for its connections. */
    | 'listener-replaced'
    /** This Node is older than 20.19. */
    | 'old-node'
    /** This version of Node keeps state on its messages that Nonstop does not know. */
    | 'unknown-node'
    /** A copy of Nonstop that was loaded before lacks what this one needs. */
    | 'older-copy';

  /** Whether the engine serves a server's connections, and if not, why. */
  export interface Acceleration {
    readonly accelerated: boolean;
    /** Undefined where the engine serves them. */
    readonly reason: LeftReason | undefined;
  }

  // Written out, and not `typeof httpModule`: the types of the engine's inside are no business of a program's.
  /** What this module has beside the names of node's. */
  export interface Accelerator {
    /**
     * Hands the connections that a genuine `http.Server` or `https.Server` will accept from now on to the engine, whoever
     * made it. Safe to call again. Nothing is thrown where it cannot: {@link explainAcceleration} says why.
     *
     * @param server listening or not
     * @param prototypes what requests and responses inherit from; default `IncomingMessage` and `ServerResponse` of this module
     * @returns whether the engine serves them; not with message classes of its own or a lenient parser
     */
    accelerate(server: http.Server, prototypes?: { readonly request: object; readonly response: object }): boolean;

    /**
     * Whether the engine serves the connections that a server accepts, whoever handed it over: {@link accelerate}, an application, a
     * preload.
     *
     * @param server of which nothing is changed
     */
    isAccelerated(server: http.Server): boolean;

    /**
     * Whether the engine serves a server's connections, and the reason where it does not. `DEBUG=nonstop` prints these as they are
     * decided.
     *
     * @param server of which nothing is changed
     * @returns `{ accelerated, reason }`
     */
    explainAcceleration(server: http.Server): Acceleration;
  }

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
