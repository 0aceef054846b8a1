import type http = require('node:http');

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

/** The members of the request that its response uses. */
export interface Req extends http.IncomingMessage {
  readonly app: AppSettings;
  readonly fresh: boolean;
  readonly query: Record<string, unknown>;
  readonly secret?: string;
  readonly next: Next;
  accepts(types: string[]): string | false;
}

/** A field value as Express accepts it; other values are converted to strings. */
export type FieldValue = unknown;

/** A field value as node stores it. */
export type StoredField = number | string | string[] | undefined;

/** The response as its own methods see it. They call each other through public names, because these may be patched. */
export interface Res extends http.ServerResponse {
  readonly app: AppSettings;
  readonly req: http.ServerResponse['req'] & Req;
  readonly locals: object;
  get(field: string): StoredField;
  set(field: string, value: FieldValue): this;
  set(fields: object): this;
  type(type: string): this;
  status(code: number): this;
  json(value: unknown): this;
  send(body?: unknown): this;
  append(field: string, value: string | string[]): this;
  location(url: string): this;
  cookie(name: string, value: unknown, options?: object): this;
  format(handlers: object): this;
  vary(field: string | string[]): this;
  sendFile(path: string, options?: object, done?: (error?: Error) => void): void;
}
