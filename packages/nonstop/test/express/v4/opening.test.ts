// Under Express 4's dialect the first two layers of an application (query and init) are skipped while they are unchanged.
import assert = require('node:assert/strict');
import { createRequire } from 'node:module';
import path = require('node:path');
import { describe, test } from 'node:test';
import { subject } from '../../support/subject.js';

type Next = (error?: Error) => void;
type Handler = (...args: never[]) => void;
interface App {
  (req: object, res: object): void;
  use(handler: Handler): void;
}

const makers: Record<string, unknown> = {
  Express: createRequire(__filename)('express4'),
  Nonstop: require(path.join(subject, 'v4.js')),
};

/** The result of calling an application with a request and a response that other code has created. */
function outcome(maker: unknown, url: string): Promise<unknown[]> {
  return new Promise((resolve) => {
    const app = (maker as () => App)();
    const seen: unknown[] = [];
    app.use(function handler() {
      seen.push('handler');
      resolve(seen);
    });
    app.use(function onError(error: Error, req: { query: unknown }, _res: object, _next: Next) {
      seen.push(error.message, req.query);
      resolve(seen);
    });
    const setHeader = (): void => {
      seen.push('setHeader');
      throw new Error('the head was sent');
    };
    try {
      app({ method: 'GET', url, headers: {} }, { setHeader });
    } catch (error) {
      seen.push('thrown', (error as Error).message);
      resolve(seen);
    }
  });
}

describe('a response whose setHeader throws', () => {
  for (const url of ['/a', '/a?b=c']) {
    test(`leads to the error handlers, as in Express: ${url}`, async () => {
      const [theirs, ours] = [await outcome(makers['Express'], url), await outcome(makers['Nonstop'], url)];
      // The layer tries to set the field once more.
      const once = (seen: unknown[]): unknown[] => seen.filter((each) => each !== 'setHeader');
      assert.deepEqual(once(ours), once(theirs));
      assert.equal(theirs.includes('the head was sent'), true);
    });
  }
});
