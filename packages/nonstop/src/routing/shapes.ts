import type { Route } from './route.js';

/** Goes on; with an error to the next error handler, with `'route'` or `'router'` out of that route or router. */
export type Next = (err?: unknown) => void;

/** What the matched path bound, by name; the groups of a RegExp by number. A wildcard binds its segments. */
export type Params = Record<string, string | string[]>;

/** What routing reads and writes of a request, whoever made it: node, the engine or a mock. */
export interface RoutedRequest {
  method: string;
  url: string;
  baseUrl?: string | undefined;
  originalUrl?: string | undefined;
  params?: Params | undefined;
  route?: Route | undefined;
  next?: Next | undefined;
}

/** What routing needs of a response: only the automatic answer to OPTIONS writes. */
export interface RoutedResponse {
  setHeader(name: string, value: string | number): unknown;
  end(body: string): unknown;
}

export type RequestHandle = (req: RoutedRequest, res: RoutedResponse, next: Next) => unknown;
export type ErrorHandle = (err: unknown, req: RoutedRequest, res: RoutedResponse, next: Next) => unknown;

/** The two are told apart by their number of parameters. */
export type Handle = RequestHandle | ErrorHandle;

export type ParamHandle = (
  ...args: [req: RoutedRequest, res: RoutedResponse, next: Next, value: string | string[], name: string]
) => unknown;

/** What the user may write in place of a path; lists nest. */
export type Path = string | RegExp | readonly Path[];

/** Handlers as users pass them: nested lists too. */
export type Handles = Handle | readonly Handles[];
