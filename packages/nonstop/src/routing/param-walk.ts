import type { WalkedLayer, Next, ParamHandle, Params, RoutedRequest, RoutedResponse } from './shapes.js';

/** The callbacks of `router.param`, by name. */
export type ParamHandles = Record<string, ParamHandle[]>;

/** The outcome of the callbacks of one name for this request. They run once for each value. */
interface ParamCall {
  readonly match: string | string[];
  value: string | string[];
  error: unknown;
}

export type ParamCalls = Record<string, ParamCall | undefined>;

/** The layer that matched, and its request. */
export interface ParamSite {
  readonly req: RoutedRequest & { params: Params };
  readonly res: RoutedResponse;
  readonly router: { readonly params: ParamHandles };
  readonly layer: WalkedLayer;
  readonly keys: readonly string[];
  readonly calls: ParamCalls;
  readonly done: Next;
}

/** One call of one callback. Its error goes to `next`. */
export type CallParam = (site: ParamSite, call: ParamCallOf) => void;

export interface ParamCallOf {
  readonly handle: ParamHandle;
  readonly name: string;
  readonly value: string | string[];
  readonly next: Next;
}

/** Whether any of these params has a callback. */
export function hasParamHandles(handles: ParamHandles, keys: readonly string[]): boolean {
  for (let i = 0; i < keys.length; i++) if (handles[keys[i]]) return true;
  return false;
}

/** Runs the param callbacks of a matched layer, name by name, before its handler. */
export class ParamWalk {
  private readonly site: ParamSite;
  private readonly invoke: CallParam;
  private keyIndex = 0;
  private handleIndex = 0;
  private key = '';
  private handles: ParamHandle[] = [];
  private call: ParamCall = { match: '', value: '', error: null };

  constructor(site: ParamSite, invoke: CallParam) {
    this.site = site;
    this.invoke = invoke;
  }

  /** Goes to the next name. */
  advance(err?: unknown): void {
    const { req, keys, router, calls, done } = this.site;
    if (err) return done(err);
    while (this.keyIndex < keys.length) {
      const key = keys[this.keyIndex++];
      const value = req.params[key];
      const forKey = router.params[key];
      if (value === undefined || !forKey) continue;
      const call = calls[key];
      if (call !== undefined && (call.match === value || (call.error && call.error !== 'route'))) {
        req.params[key] = call.value;
        if (call.error) return done(call.error);
        continue;
      }
      this.key = key;
      this.handles = forKey;
      this.handleIndex = 0;
      this.call = calls[key] = { match: value, value, error: null };
      return this.step();
    }
    done();
  }

  /** Goes to the next callback of this name. */
  private readonly step: Next = (err) => {
    const { site, call, key } = this;
    const handle = this.handles[this.handleIndex++] as ParamHandle | undefined;
    call.value = site.req.params[key];
    if (err) {
      call.error = err;
      this.advance(err);
    } else if (handle === undefined) {
      this.advance();
    } else {
      this.invoke(site, { handle, value: call.match, name: key, next: this.step });
    }
  };
}
