import assert = require('node:assert/strict');
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import nonstop = require('../src/entry/index.js');
import nonstopV4 = require('../src/entry/v4.js');
import { declarations } from './support/declared-types.js';
import { inPackage } from './support/paths.js';

/** Members that the types declare but that do not exist, by interface, with the reason. */
const absent: Record<string, readonly string[]> = {
  // These exist after a parser has run; `accepted` is declared because @types/express declares it.
  Request: ['accepted', 'body', 'cookies', 'signedCookies'],
  Response: ['charset'],
  // `parent` exists on a mounted application; the others are declared because @types/express declares them.
  Application: ['_router', 'map', 'resource', 'routes', 'stack'],
  Express: ['_router', 'map', 'resource', 'routes', 'stack'],
  NonstopExpress: ['_router', 'map', 'parent', 'resource', 'routes', 'stack'],
};

/** QUERY is declared optional: Node 20 got it in its last releases. */
const isLaterMethod = (member: string): boolean => member === 'query';

for (const { major, framework, types, unknown } of [
  { major: 5, framework: nonstop, types: 'dist/types/index.d.ts', unknown: [] },
  {
    major: 4,
    framework: nonstopV4,
    types: 'dist/types/v4/index.d.ts',
    // Older names, which @types/express 4 does not have: with them, handlers typed with it would no longer be accepted.
    unknown: ['acceptsEncoding', 'acceptsCharset', 'acceptsLanguage'],
  },
]) {
  describe(`the types of Express ${major} and the objects`, () => {
    const declared = declarations(inPackage(types));

    /** The members of an interface that `object` lacks. */
    const lacking = (object: object, name: string): string[] =>
      declared
        .membersOf(name)
        .filter((member) => !(member in object) && !isLaterMethod(member))
        .toSorted();

    const app = framework();
    const router = framework.Router();
    const objects: Record<string, object> = {
      Application: app,
      Express: app,
      NonstopExpress: app,
      IRouter: router,
      Router: router,
      NonstopRouter: router,
      IRoute: router.route('/a'),
      Route: new framework.Route('/a'),
      Framework: framework,
    };
    for (const [name, object] of Object.entries(objects)) {
      test(`every member of ${name} is there`, () => {
        assert.deepEqual(lacking(object, name), absent[name] ?? []);
      });
    }

    test('every member of Request and Response is there in a handler', async () => {
      const served = framework() as nonstop.Express;
      served.get('/', (req, res) => {
        res.json([lacking(req, 'Request'), lacking(res, 'Response')]);
      });
      const server = served.listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        assert.deepEqual(await answer.json(), [absent['Request'], absent['Response']]);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

    test('every property of the objects that express.request and express.response are is declared', () => {
      const undeclared = (object: object, name: string): string[] => {
        const members = declared.membersOf(name);
        return Object.keys(object).filter((member) => !members.includes(member));
      };
      assert.deepEqual(undeclared(framework.request, 'Request'), unknown);
      assert.deepEqual(undeclared(framework.response, 'Response'), []);
    });
  });
}
