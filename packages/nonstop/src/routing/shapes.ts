/** Continues: with an error at the next error handler, with `'route'` or `'router'` after that route or router. */
export type Next = (err?: unknown) => void;

/** The params of the matched path, by name; groups of a RegExp by number. The value of a wildcard is its segments. */
export type Params = Record<string, string | string[]>;

/** The parts of a request that routing reads and writes; node, the engine or a test may have made it. */
export interface RoutedRequest {
  method: string;
  url: string;
  baseUrl?: string | undefined;
  originalUrl?: string | undefined;
  params?: Params | undefined;
  route?: WalkedRoute | undefined;
  next?: Next | undefined;
}

/** The parts of a response that routing uses: only the automatic response to OPTIONS writes. */
export interface RoutedResponse {
  readonly headersSent: boolean;
  setHeader(name: string, value: string | number): unknown;
  end(body: string): unknown;
}

export type RequestHandle = (req: RoutedRequest, res: RoutedResponse, next: Next) => unknown;
export type ErrorHandle = (err: unknown, req: RoutedRequest, res: RoutedResponse, next: Next) => unknown;

/** Handlers and error handlers are told apart by their number of parameters. */
export type Handle = RequestHandle | ErrorHandle;

export type ParamHandle = (
  ...args: [req: RoutedRequest, res: RoutedResponse, next: Next, value: string | string[], name: string]
) => unknown;

/** The forms in which users write paths; lists may nest. */
export type Path = string | RegExp | readonly Path[];

/** Handlers as users pass them; lists may nest. */
export type Handles = Handle | readonly Handles[];

/** The result of a layer that matches a path. */
export interface Match {
  readonly params: Params;
  /** The part of the path that is removed for a mounted handler. */
  readonly path: string;
  /** The names in `params`. */
  readonly keys: readonly string[];
  /** The path that matched, as the user wrote it; a layer may have several. */
  readonly pattern: unknown;
}

/*
 * Members that Express's layers and routes do not have are under symbols, because programs keep data of their own there, under any name. They are
 * not private fields, because programs put copies of layers, Proxies of them and objects that inherit from them into a stack.
 */
export const kIsAnywhere: unique symbol = Symbol('isAnywhere');
export const kIsDirect: unique symbol = Symbol('isDirect');
export const kBindNothing: unique symbol = Symbol('bindNothing');
export const kFind: unique symbol = Symbol('find');
export const kHandleRequest: unique symbol = Symbol('handleRequest');
export const kHandleError: unique symbol = Symbol('handleError');
export const kServes: unique symbol = Symbol('serves');
export const kServing: unique symbol = Symbol('serving');
export const kIsPlain: unique symbol = Symbol('isPlain');
export const kAllowed: unique symbol = Symbol('allowed');

/** A layer as a walk uses it. Express 4 and 5 name the public methods of layers differently. */
export interface WalkedLayer {
  readonly name: string;
  readonly route?: WalkedRoute | undefined;
  readonly method?: string | undefined;
  /** Whether it is middleware for every path: nothing to match, and no prefix to remove. */
  readonly [kIsAnywhere]: boolean;
  /** Whether the walk may enter the route without `handle`: its `handle` is the original one. */
  readonly [kIsDirect]: boolean;
  /** Used instead of {@link kFind} if {@link kIsAnywhere} is true. @returns an empty params object */
  [kBindNothing](): Params;
  /** The path as the user wrote it; undefined in Express 4, whose layers do not keep it. */
  readonly rawPath?: unknown;
  /** @throws URIError with `status` 400 if a param is not properly encoded */
  [kFind](path: string): Match | false;
  /** The public methods, which may be replaced. */
  readonly [kHandleRequest]: (req: RoutedRequest, res: RoutedResponse, next: Next) => void;
  readonly [kHandleError]: (error: unknown, req: RoutedRequest, res: RoutedResponse, next: Next) => void;
}

/** A route as a walk uses it. */
export interface WalkedRoute {
  readonly stack: readonly WalkedLayer[];
  dispatch(req: RoutedRequest, res: RoutedResponse, done: Next): void;
  /** Whether there is a handler for a method. Calls Express's public method if a program has replaced it. @param method as the request has it */
  [kServes](method: unknown): boolean;
  /** The method whose handlers serve this one. */
  [kServing](method: unknown): string;
  /** Whether `dispatch` is the original one. */
  readonly [kIsPlain]: boolean;
  /** The method names for an Allow field. */
  [kAllowed](): readonly string[];
}
