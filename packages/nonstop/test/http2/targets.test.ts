import assert = require('node:assert/strict');
import http2 = require('node:http2');
import { test } from 'node:test';
import { ask } from '../support/http2-client.js';
import { serve, serveFirst, type Served } from '../support/http2-server.js';
import { ours } from '../support/framework.js';

/*
 * What node's parser refuses over HTTP/1 reaches handlers of node:http2. A rule such as `app.use('/secret', refuse)` sees another path than
 * `express.static` and proxies, which put a missing slash in front.
 */

const TARGETS = [
  'secret/file.txt',
  'x/../secret/file.txt',
  'http://a/secret',
  '',
  '?a',
  '#',
  '/caf\u00e9',
  '*a',
  '//a b',
];

/** The scheme decides whether nghttp2 looks at the path at all. */
const request = (session: http2.ClientHttp2Session, path: string, method = 'GET'): ReturnType<typeof ask> =>
  ask(session, { headers: { ':scheme': 'foo', ':path': path, ':method': method } });

function counted(): { app: ReturnType<typeof ours>; seen: string[] } {
  const app = ours();
  const seen: string[] = [];
  app.use((req, res) => {
    seen.push(`${req.method} ${req.url}`);
    res.end('seen');
  });
  return { app, seen };
}

test('a path that no request of HTTP/1 can have is refused, and no handler is called', async () => {
  const { app, seen } = counted();
  const all = await serve(app);
  for (const path of TARGETS) {
    const { status, reset } = await request(all.session, path);
    // nghttp2 itself resets a stream with octets that no field may have.
    assert.ok(status === 400 || (status === 0 && reset !== 0), `${path}: ${status}`);
  }
  assert.equal((await request(all.session, '/', 'post')).status, 400);
  assert.deepEqual(seen, []);
  for (const path of ['/', '/a?b=//c', '*', '/%7e~!\'()[]|`^{}"<>\\']) {
    assert.equal((await request(all.session, path)).status, 200, path);
  }
  await all.close();
});

const first = async (path: string, method?: string): Promise<{ seen: string[]; status: number }> => {
  const { app, seen } = counted();
  const all: Served = await serveFirst(app);
  const { status } = await request(all.session, path, method);
  await all.close();
  return { seen, status };
};

test('the first request of a server of node has a method and a path that rules apply to', async () => {
  assert.deepEqual(await first('secret/file.txt'), { seen: ['GET /secret/file.txt'], status: 200 });
  assert.deepEqual(await first('/caf\u00e9'), { seen: ['GET /caf%E9'], status: 200 });
  assert.deepEqual(await first(Buffer.from('/caf\u00e9').toString('latin1')), {
    seen: ['GET /caf%C3%A9'],
    status: 200,
  });
  assert.deepEqual(await first('?a=1'), { seen: ['GET /?a=1'], status: 200 });
  assert.deepEqual(await first('/a', 'post'), { seen: ['POST /a'], status: 200 });
  assert.deepEqual(await first('/a?b'), { seen: ['GET /a?b'], status: 200 });
});
