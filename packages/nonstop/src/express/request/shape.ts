import type http = require('node:http');
import type { Application } from '../shape.js';

/** `req.acceptsEncodings(...)`, `req.is(...)`: names as arguments or as one list. */
export type Names = readonly (string | readonly string[])[];

/** The response as the request asks it. */
export interface AnsweringResponse {
  readonly statusCode: number;
  get(field: string): unknown;
}

/** A request as its own members see it: what they ask themselves is asked publicly, for it may be patched. */
export interface Request extends http.IncomingMessage {
  app: Application;
  res: AnsweringResponse;
  originalUrl?: string;
  get(name: string): string | undefined;
  readonly protocol: string;
  readonly host: string | undefined;
  readonly hostname: string | undefined;
  readonly fresh: boolean;
}
