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
  route?: WalkedRoute | undefined;
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

/** What a layer says about a path that it matches. */
export interface Match {
  readonly params: Params;
  /** The part of the path that a mounted handler does not see. */
  readonly path: string;
  /** Names in `params`. */
  readonly keys: readonly string[];
  /** The one of the layer's paths that matched, as the user wrote it. */
  readonly pattern: unknown;
}

/** A layer as a walk uses it. Its public methods have other names in each Express. */
export interface WalkedLayer {
  readonly name: string;
  readonly route?: WalkedRoute | undefined;
  readonly method?: string | undefined;
  /** Whether it is middleware for every path, with nothing to match and nothing to cut off. */
  readonly isAnywhere: boolean;
  /** Whether its route may be entered without its `handle`: nobody has put anything in between. */
  readonly isDirect: boolean;
  /** In place of {@link find} where {@link isAnywhere} says so. @returns params, of which there are none */
  bindNothing(): Params;
  /** As the user wrote it; Express 4 does not keep it. */
  readonly rawPath?: unknown;
  /** @throws URIError with `status` 400 where a param is not properly encoded */
  find(path: string): Match | false;
  handleRequest(req: RoutedRequest, res: RoutedResponse, next: Next): void;
  handleError(error: unknown, req: RoutedRequest, res: RoutedResponse, next: Next): void;
}

/** A route as a walk uses it. */
export interface WalkedRoute {
  readonly stack: readonly WalkedLayer[];
  dispatch(req: RoutedRequest, res: RoutedResponse, done: Next): void;
  /** @param method in lower case */
  handles(method: unknown): boolean;
  /** The method whose handlers serve this one. */
  effective(method: unknown): string;
  /** Whether `dispatch` is the one that routes are made with. */
  readonly dispatchesPlainly: boolean;
  /** Names for an Allow field. */
  allowed(): readonly string[];
}
