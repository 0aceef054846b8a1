import { inspect } from 'node:util';
import { callerOf } from '../../../core/caller.js';
import { leadsWithHandler } from '../../../routing/flat-handlers.js';
import { forExpress5, isReadOtherwise, isRefused, type AdviceOptions } from '../../../routing/layer/path-advice.js';
import type { Layer } from '../../../routing/v4/layer.js';
import { Router } from '../../../routing/v4/router.js';
import { around, here, tell } from './tell.js';

const DOT = 0x2e;

/** Watches the paths of routes and mounts. */
export function watchPaths(): void {
  around(
    Router,
    'route',
    (own) =>
      function route(this: Router, path: unknown) {
        tellOf(path, { end: true });
        const made: unknown = own.call(this, path);
        watchLayers(this, this.stack.length - 1);
        return made;
      },
  );
  around(
    Router,
    'use',
    (own) =>
      function use(this: Router, ...given: unknown[]) {
        const before = this.stack.length;
        const made: unknown = own.apply(this, given);
        const [path] = given;
        if (!leadsWithHandler(path)) {
          tellOf(path, { end: false });
          for (const layer of this.stack.slice(before)) watchDots(layer, path, here());
        }
        watchLayers(this, before);
        return made;
      },
  );
}

function tellOf(paths: unknown, options: AdviceOptions): void {
  for (const path of [paths].flat(Infinity)) {
    if (typeof path !== 'string') continue;
    const shown = inspect(path);
    const problem = isRefused(path)
      ? `refuses the path ${shown}`
      : isReadOtherwise(path)
        ? `reads the path ${shown} differently`
        : undefined;
    if (problem !== undefined) tell(here(), `Express 5 ${problem}: write ${forExpress5(path, options)}`);
  }
}

function watchDots(layer: Layer, mount: unknown, place: string | undefined): void {
  const { match } = layer;
  Object.defineProperty(layer, 'match', {
    configurable: true,
    writable: true,
    value(this: Layer, path: string) {
      const found = match.call(this, path);
      const end = this.path?.length ?? 0;
      if (found && end !== 0 && path.charCodeAt(end) === DOT)
        tell(
          place,
          `Express 5 does not take a path such as ${inspect(`${this.path}.json`)} to what is mounted at ${mount instanceof RegExp ? String(mount) : inspect(mount)}`,
        );
      return found;
    },
  });
}

function watchLayers(router: Router, from: number): void {
  for (const layer of router.stack.slice(from)) {
    const own = Object.getOwnPropertyDescriptor(layer, 'regexp') as PropertyDescriptor;
    Object.defineProperty(layer, 'regexp', {
      ...own,
      get: function get(this: Layer) {
        const caller = callerOf(get);
        if (caller?.isDirect) tell(caller.place, 'layers of Express 5 have no regexp: ask layer.match(path)');
        return own.get?.call(this) as unknown;
      },
    });
  }
}
