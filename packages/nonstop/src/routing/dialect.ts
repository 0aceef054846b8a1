import type { DebugLog } from '../core/debug-log.js';
import type { ParamHandles, ParamSite } from './param-walk.js';
import type { QuickPattern } from './layer/quick-pattern.js';
import type { Next, RoutedRequest, RoutedResponse, WalkedLayer } from './shapes.js';

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
