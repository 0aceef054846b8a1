import type { Layer } from './layer.js';
import { matchedPattern } from './matched-pattern.js';
import type { Next, ParamHandle, Params, RoutedRequest, RoutedResponse } from './shapes.js';
import { callParam } from './call-param.js';
import { traceParam } from './trace-param.js';
import { tracing } from './tracing.js';

/** The callbacks of `router.param`, by name. */
export type ParamHandles = Record<string, ParamHandle[]>;

/** What the callbacks of one name did for this request: they run once a value. */
interface ParamCall {
  readonly match: string | string[];
  value: string | string[];
  error: unknown;
}

export type ParamCalls = Record<string, ParamCall | undefined>;

/** The layer that matched, and what its params were bound for. */
export interface ParamSite {
  readonly req: RoutedRequest & { params: Params };
  readonly res: RoutedResponse;
  readonly layer: Layer;
  readonly keys: readonly string[];
  readonly handles: ParamHandles;
  readonly calls: ParamCalls;
  readonly done: Next;
}

/** Whether any of these params has a callback; where none has, there is nothing to walk. */
export function hasParamHandles(handles: ParamHandles, keys: readonly string[]): boolean {
  for (let i = 0; i < keys.length; i++) if (handles[keys[i]]) return true;
  return false;
}

/** Runs the param callbacks of a matched layer, name by name, before its handler. */
export class ParamWalk {
  private readonly site: ParamSite;
  private keyIndex = 0;
  private handleIndex = 0;
  private key = '';
  private handles: ParamHandle[] = [];
  private call: ParamCall = { match: '', value: '', error: null };

  constructor(site: ParamSite) {
    this.site = site;
  }

  /** Goes to the next name. */
  advance(err?: unknown): void {
    const { req, keys, handles, calls, done } = this.site;
    if (err) return done(err);
    while (this.keyIndex < keys.length) {
      const key = keys[this.keyIndex++];
      const value = req.params[key];
      const forKey = handles[key];
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
    } else if (tracing()) {
      const { req, res, layer } = site;
      const context = { req, res, layer, handler: handle, route: matchedPattern(req), param: key };
      traceParam(context, handle, call.match, this.step);
    } else {
      callParam({ ...site, handle, value: call.match, name: key, next: this.step });
    }
  };
}
