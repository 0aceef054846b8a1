import type { DebugLog } from '../core/debug-log.js';
import type { ParamHandles, ParamSite } from './param-walk.js';
import type { QuickPattern } from './layer/quick-pattern.js';
import type { Next, Params, RoutedRequest, RoutedResponse, WalkedLayer } from './shapes.js';

/**
 * What differs between Express 4 and 5 in the walk through a router: `express5.ts` and `v4/express4.ts`.
 *
 * No member is an accessor: V8 keeps an object literal with one as a dictionary, which cost 7 to 22 ns at each step of a walk.
 */
export interface RoutingDialect {
  /** Logs for `DEBUG`, under the name of this Express's router. */
  readonly log: DebugLog;
  /** Lets a walk use a layer that is not Nonstop's. Nothing happens to other values. */
  adopt(layer: unknown): void;
  /** Whether `match` on the layers' prototype is unchanged. */
  matchesPlainly(): boolean;
  /** The pattern that lets a shortlist leave out a layer; undefined if the layer has to be asked. */
  patternOf(layer: WalkedLayer): QuickPattern | undefined;
  /** Whether `path` can be cut after the mount path, which ends at `end`. */
  endsMount(path: string, end: number): boolean;
  /** `url` without the slash that was put before it for a handler mounted at `removed`. */
  withoutAddedSlash(url: string, removed: string): string;
  /** Called for each error that a handler passes on. */
  noteError(req: RoutedRequest, error: unknown): void;
  /** Assigns the params of a request to those of its parent router, for `mergeParams`. @returns `to` */
  copyParams(to: Params, from: Params): Params;
  /** Whether param callbacks have to run before this layer. */
  hasParamCallbacks(router: { readonly params: ParamHandles }, keys: readonly string[]): boolean;
  /** Runs the param callbacks of a layer. */
  runParamCallbacks(site: ParamSite): void;
  /** Answers OPTIONS with the methods of the routes that matched (RFC 9110 §9.3.7). An error goes to `next`. */
  answerOptions(res: RoutedResponse, methods: readonly string[], next: Next): void;
}
