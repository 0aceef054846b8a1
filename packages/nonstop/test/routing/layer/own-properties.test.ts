import assert from 'node:assert/strict';
import { test } from 'node:test';
import genuine = require('express');
import { ours, type Framework } from '../../support/framework.js';

/** What programs that list routes read of the layers, in the order in which a loop gives it. */
function seenIn({ Router }: Framework): unknown {
  const inner = Router().delete('/x', () => undefined);
  const router = Router()
    .use(function first() {
      return undefined;
    })
    .use('/inner/:id', inner)
    .get('/', () => undefined)
    .get(['/one', '/two/:x'], () => undefined)
    .get(/^\/re\/(\d+)$/, () => undefined);
  router
    .route('/both/:id')
    .get(() => undefined)
    .put(() => undefined);
  return router.stack.map((layer) => {
    const { matchers } = layer as unknown as { matchers: ((path: string) => unknown)[] };
    return {
      names: Object.keys(layer),
      all: Reflect.ownKeys(layer),
      copied: Object.keys({ ...layer }),
      text: JSON.stringify(layer),
      matches: matchers.map((matcher) => [matcher.length, matcher('/both/7'), matcher('/two/1'), matcher('/re/12')]),
      ofRoute: layer.route?.stack.map((own) => Reflect.ownKeys(own)),
    };
  });
}

test("layers have the own properties of Express's, in their order", () => {
  assert.deepEqual(seenIn(ours), seenIn(genuine));
});
