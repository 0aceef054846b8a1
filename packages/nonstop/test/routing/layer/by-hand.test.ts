import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import { inherits } from 'node:util';
import { deep } from '../../../src/express/deep.js';
import { deep as deepOf4 } from '../../../src/express/v4/deep.js';

interface LayerLike {
  handle: unknown;
  name: string;
  match(path: string): unknown;
}

type Handle = () => void;

interface MakeLayer {
  (path: unknown, options: unknown, handle: Handle): LayerLike;
  new (path: unknown, options: unknown, handle: Handle): LayerLike;
  prototype: object;
}

function named(): void {
  return undefined;
}

/** Ways in which packages make layers: Parse Server gives null for the options. */
const WAYS: Record<string, (Layer: MakeLayer) => LayerLike> = {
  'with options': (Layer) => new Layer('/a/:b', { sensitive: true, end: false }, named),
  'with null for options': (Layer) => new Layer('/a/:b', null, named),
  'with undefined for options': (Layer) => new Layer('/a/:b', undefined, named),
  'with 0 for options': (Layer) => new Layer('/a/:b', 0, named),
  'without new': (Layer) => Layer('/a/:b', {}, named),
  'as an heir': (Layer) => new (class extends Layer {})('/a/:b', null, named),
};

const PAIRS: readonly (readonly [version: string, place: string, ours: unknown])[] = [
  ['Express 5', 'router/lib/layer', deep['router/lib/layer']],
  ['Express 4', 'express4/lib/router/layer', deepOf4['lib/router/layer']],
];

for (const [version, place, ours] of PAIRS) {
  describe(`a layer of ${version} made by hand`, () => {
    const [genuine, own] = [require(place) as MakeLayer, ours as MakeLayer];
    for (const [way, make] of Object.entries(WAYS)) {
      test(way, () => {
        const seen = [genuine, own].map((Layer) => {
          const layer = make(Layer);
          return {
            name: layer.name,
            handle: layer.handle === named,
            isOne: layer instanceof Layer,
            matches: ['/a/1', '/A/1', '/a/1/2', '/b'].map((path) => Boolean(layer.match(path))),
          };
        });
        assert.deepEqual(seen[1], seen[0]);
      });
    }

    test('its constructor is the module', () => {
      const [theirs, mine] = [genuine, own].map((Layer) => new Layer('/', {}, named).constructor === Layer);
      assert.deepEqual([theirs, mine], [true, true]);
      assert.deepEqual([own.name, own.length], [genuine.name, genuine.length]);
    });
  });
}

type AnyClass = (new (...args: unknown[]) => object) & { prototype: object };

const VIEW = ['missing', { defaultEngine: 'html', root: '/nowhere', engines: { '.html': named } }];

/** The classes of both versions that programs inherit from, with the arguments of one instance. */
const CLASSES: readonly (readonly [what: string, place: string, ours: unknown, args: unknown[]])[] = [
  ['layer of Express 5', 'router/lib/layer', deep['router/lib/layer'], ['/a/:b', {}, named]],
  ['route of Express 5', 'router/lib/route', deep['router/lib/route'], ['/a/:b']],
  ['view of Express 5', 'express/lib/view', deep['lib/view'], VIEW],
  ['layer of Express 4', 'express4/lib/router/layer', deepOf4['lib/router/layer'], ['/a/:b', {}, named]],
  ['route of Express 4', 'express4/lib/router/route', deepOf4['lib/router/route'], ['/a/:b']],
  ['view of Express 4', 'express4/lib/view', deepOf4['lib/view'], VIEW],
];

function flagsOf(prototype: object, name: string): unknown {
  let owner = prototype;
  while (!Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner) as object;
  const { value, ...flags } = Object.getOwnPropertyDescriptor(owner, name)!;
  return { ...flags, type: typeof value };
}

for (const [what, place, ours, args] of CLASSES) {
  const [genuine, own] = [require(place), ours] as AnyClass[];

  test(`the class of a ${what} has the methods of Express's in a loop, and they can be replaced`, () => {
    const seen = [genuine, own].map(({ prototype }) => {
      const members: Record<string, unknown> = { constructor: flagsOf(prototype, 'constructor') };
      for (const name in prototype) members[name] = flagsOf(prototype, name);
      return members;
    });
    assert.deepEqual(seen[1], seen[0]);
  });

  test(`the class of a ${what} is called for an object of an heir`, () => {
    const seen = [genuine, own].map((Class) => {
      function Heir(this: object): void {
        Reflect.apply(Class, this, args);
      }
      inherits(Heir, Class);
      const made = new (Heir as unknown as AnyClass)() as Record<string, unknown>;
      return { kind: made.constructor === Heir, own: Object.keys(made) };
    });
    assert.deepEqual(seen[1], seen[0]);
    assert.ok(seen[0].own.length > 0, 'it has got what the class gives');
  });
}
