import type { DebugLog } from '../core/debug-log.js';
import type { ParamHandles, ParamSite } from './param-walk.js';
import type { Match } from './layer/layer.js';
import type { QuickPattern } from './layer/quick-pattern.js';
import type { Next, Params, RoutedRequest, RoutedResponse } from './shapes.js';

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
  /** @param method in lower case */
  handles(method: unknown): boolean;
  /** The method whose handlers serve this one. */
  effective(method: unknown): string;
  /** Whether `dispatch` is the one that routes are made with. */
  readonly dispatchesPlainly: boolean;
  /** Names for an Allow field. */
  allowed(): readonly string[];
}

/** What the walk through a router does in one Express and not in the other: `express5.ts` and `v4/express4.ts`. */
export interface RoutingDialect {
  /** Writes what `DEBUG` asks for, under the name of this Express's router. */
  readonly log: DebugLog;
  /** Whether layers match as they were made to: `match` of their prototype is nobody else's. */
  readonly matchesPlainly: boolean;
  /** The pattern by which a layer can be left out of a shortlist; undefined where it has to be asked. */
  patternOf(layer: WalkedLayer): QuickPattern | undefined;
  /** Whether `path` can be cut behind the mount path, which ends at `end`. */
  endsMount(path: string, end: number): boolean;
  /** `url` without the slash that was put in front of it for a handler mounted at `removed`. */
  withoutAddedSlash(url: string, removed: string): string;
  /** Is told of each error that a handler passes on. */
  noteError(req: RoutedRequest, error: unknown): void;
  /** Whether callbacks for params have to run in front of this layer. */
  hasParamCallbacks(router: { readonly params: ParamHandles }, keys: readonly string[]): boolean;
  /** Runs them. */
  runParamCallbacks(site: ParamSite): void;
  /** Answers OPTIONS with the methods of the routes that matched (RFC 9110 §9.3.7). An error in that goes to `next`. */
  answerOptions(res: RoutedResponse, methods: readonly string[], next: Next): void;
}
