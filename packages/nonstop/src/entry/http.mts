/**
 * node's `http` module, name for name, whose servers are served by the engine. Clients are node's own.
 *
 * This module adds `accelerate`, `isAccelerated` and `explainAcceleration`.
 *
 * @module nonstop/http
 */
import nonstopHttp from './http.js';

// Every name of this Node's `http`; those below take the place of node's. The instances are those that `require` gives.
export * from 'node:http';
export const { createServer, IncomingMessage, Server, ServerResponse } = nonstopHttp;
// Named one by one, because editors show no doc comments for the inferred types of destructured functions.
export const accelerate: nonstopHttp.Accelerator['accelerate'] = nonstopHttp.accelerate;
export const isAccelerated: nonstopHttp.Accelerator['isAccelerated'] = nonstopHttp.isAccelerated;
export const explainAcceleration: nonstopHttp.Accelerator['explainAcceleration'] = nonstopHttp.explainAcceleration;
export { nonstopHttp as default };

export type { Acceleration, Accelerator, LeftReason } from './http.js';
// Types that share a name with a value are declared here, because the value would hide a re-export.
export type IncomingMessage = nonstopHttp.IncomingMessage;
export type Server<
  Req extends typeof nonstopHttp.IncomingMessage = typeof nonstopHttp.IncomingMessage,
  Res extends typeof nonstopHttp.ServerResponse<InstanceType<Req>> = typeof nonstopHttp.ServerResponse,
> = nonstopHttp.Server<Req, Res>;
export type ServerResponse<Req extends nonstopHttp.IncomingMessage = nonstopHttp.IncomingMessage> =
  nonstopHttp.ServerResponse<Req>;
