import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import http2 = require('node:http2');
import https = require('node:https');
import type net = require('node:net');
import { test } from 'node:test';
import { certificate } from '../support/certificate.js';
import { ours } from '../support/framework.js';
import { madeBy } from '../support/served.js';
import { nonstopHttp2 } from '../support/subject.js';

/* Who serves the connections of HTTP/1 on a server of HTTP/2: what leaves a server of HTTP/1 to node leaves these to node too. */

type Listener = (req: http2.Http2ServerRequest, res: http2.Http2ServerResponse) => void;

class OwnRequest extends http.IncomingMessage {
  readonly own = 'own request';
}
class OwnResponse extends http.ServerResponse {
  readonly own = 'own response';
}

/** Sends two requests over HTTP/1.1, because the first may be node's in any case. @returns the answer to the second */
async function second(server: http2.Http2SecureServer): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  let text = '';
  for (let i = 0; i < 2; i++) {
    const asked = https.get({ host: '127.0.0.1', port, agent: false, rejectUnauthorized: false });
    const [answer] = (await once(asked, 'response')) as [http.IncomingMessage];
    text = (await answer.toArray()).join('');
  }
  const closed = once(server, 'close');
  server.close();
  await closed;
  return text;
}

const tell = (req: object, res: object): string =>
  [madeBy(req), Reflect.get(req, 'own') ?? '-', Reflect.get(res, 'own') ?? '-'].join();

type Make = (options: http2.SecureServerOptions) => http2.Http2SecureServer;

const servers: Readonly<Record<string, Make>> = {
  'nonstop/http2': (options) =>
    nonstopHttp2().createSecureServer(options, (req: object, res: object) => {
      (res as http.ServerResponse).end(tell(req, res));
    }),
  'an application': (options) => {
    const app = ours();
    app.use((req, res) => void res.end(tell(req, res)));
    return http2.createSecureServer(options, app as unknown as Listener);
  },
};

const base = (): http2.SecureServerOptions => ({ ...certificate(), allowHTTP1: true });

for (const [name, make] of Object.entries(servers)) {
  const isModule = name === 'nonstop/http2';

  test(`${name}: the engine serves HTTP/1`, async () => {
    assert.equal(await second(make(base())), 'engine,-,-');
  });

  test(`${name}: classes of messages for HTTP/1 leave it to node`, async () => {
    const options = { ...base(), Http1IncomingMessage: OwnRequest, Http1ServerResponse: OwnResponse };
    // An application gives messages its own prototypes; members of the instance stay.
    assert.equal(await second(make(options as never)), 'node:http,own request,own response');
  });

  test(`${name}: NONSTOP_ENGINE leaves HTTP/1 to node`, async () => {
    process.env['NONSTOP_ENGINE'] = 'node';
    try {
      assert.equal(await second(make(base())), 'node:http,-,-');
    } finally {
      delete process.env['NONSTOP_ENGINE'];
    }
  });

  if (!isModule) continue;
  test(`${name}: a lenient parser leaves HTTP/1 to node, where node reads the option`, async () => {
    const server = make({ ...base(), insecureHTTPParser: true } as never);
    const isRead = (server as unknown as { insecureHTTPParser?: boolean }).insecureHTTPParser === true;
    assert.equal(await second(server), isRead ? 'node:http,-,-' : 'engine,-,-');
  });
}

test('nonstop/http2 with an application: its setting leaves HTTP/1 to node', async () => {
  const app = ours();
  app.set('http engine', 'node');
  app.use((req, res) => void res.end(tell(req, res)));
  assert.equal(await second(nonstopHttp2().createSecureServer(base(), app as never)), 'node:http,-,-');
});
