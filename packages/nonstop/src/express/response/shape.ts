import type http = require('node:http');
import type { OwnRequest } from '../../types/request.js';
import type { OwnResponse } from '../../types/response.js';

/** The `next` of a handler. */
export type Next = (error?: unknown) => void;

/** The callback of a rendered view, or of a transfer that finished or failed. */
export type Callback<T> = (error: Error | null, value: T) => void;

/** The members of the application that a response uses. */
export interface AppSettings {
  get(name: string): unknown;
  enabled(name: string): boolean;
  render(view: string, options: object, done: Callback<string>): void;
}

/** The request of a response, with the members of it that a response uses. */
export interface Req extends OwnRequest {
  readonly app: AppSettings;
  /** Set by the parser of signed cookies. */
  readonly secret?: string;
  readonly next: Next;
}

/** A field value as node stores it. */
export type StoredField = number | string | string[] | undefined;

/** The response as its own methods see it. They call each other through public names, because these may be patched. */
export interface Res extends OwnResponse {
  readonly app: AppSettings;
  readonly req: http.ServerResponse['req'] & Req;
  format(handlers: object): this;
}
