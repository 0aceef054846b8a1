import type http = require('node:http');

/** `next` as a handler gets it. */
export type Next = (error?: unknown) => void;

/** What a rendered view, a finished transfer or a failed one is handed to. */
export type Callback<T> = (error: Error | null, value: T) => void;

/** What the response asks of the application that serves it. */
export interface AppSettings {
  get(name: string): unknown;
  enabled(name: string): boolean;
  render(view: string, options: object, done: Callback<string>): void;
}

/** What the response asks of the request that it answers. */
export interface Req extends http.IncomingMessage {
  readonly app: AppSettings;
  readonly fresh: boolean;
  readonly query: Record<string, unknown>;
  readonly secret?: string;
  readonly next: Next;
  accepts(types: string[]): string | false;
}

/** A value of a header field as Express takes it; anything else is made a string. */
export type FieldValue = unknown;

/** A header field as node keeps it. */
export type StoredField = number | string | string[] | undefined;

/** The response as its own methods see it: what they call on themselves is called publicly, for it may be patched. */
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
