import assert = require('node:assert/strict');
import { once } from 'node:events';
import http = require('node:http');
import net = require('node:net');
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { isNodesConnection, takeFromNode } from '../../src/node/nodes-connection.js';
import { inChangedNode } from '../support/without.js';

/** A connection on which node:http has answered one request. */
async function answered(): Promise<{ server: http.Server; socket: net.Socket; client: net.Socket }> {
  const server = http.createServer((_req, res) => res.end('answer'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[net.Socket]>;
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [socket] = await accepted;
  let text = '';
  while (!text.endsWith('answer')) text += String((await once(client, 'data'))[0]);
  await turn();
  return { server, socket, client };
}

function close({ server, socket, client }: Awaited<ReturnType<typeof answered>>): void {
  client.destroy();
  socket.destroy();
  server.close();
}

test("a connection between two messages is taken, without any of node's listeners and wrappers", async (t) => {
  const stage = await answered();
  t.after(() => close(stage));
  const { server, socket } = stage;
  assert.equal(isNodesConnection(socket), true);
  assert.equal(takeFromNode(server, socket), true);
  assert.equal(isNodesConnection(socket), false);
  for (const event of ['data', 'drain', 'timeout', 'pause', 'resume'])
    assert.equal(socket.listenerCount(event), 0, event);
  for (const name of ['on', 'addListener', 'prependListener'] as const)
    assert.equal(socket[name], net.Socket.prototype[name], name);
});

const changes: Readonly<Record<string, (socket: net.Socket) => void>> = {
  'a listener of another name': (socket) => {
    const [listener] = socket.listeners('drain');
    Object.defineProperty(listener, 'name', { value: 'bound onDrained' });
  },
  'two listeners of one name': (socket) => {
    function socketOnTimeout(): void {}
    socket.on('timeout', socketOnTimeout);
  },
  'no wrapper around on()': (socket) => {
    Object.defineProperty(socket, 'on', { value: net.Socket.prototype.on });
  },
  'a parser that does not say that it reads the handle': (socket) => {
    Object.defineProperty((socket as unknown as { parser: object }).parser, '_consumed', { value: undefined });
  },
  'an end that the program has sent': (socket) => void socket.end(),
  'an end that the client has sent': (socket) => {
    Object.defineProperty(socket, 'readable', { value: false });
  },
  'no handle': (socket) => {
    Object.defineProperty(socket, '_handle', { value: undefined, writable: true });
  },
};
for (const [name, change] of Object.entries(changes)) {
  test(`a connection with ${name} stays with node`, async () => {
    const stage = await answered();
    const { server, socket } = stage;
    const handle = (socket as unknown as { _handle: unknown })._handle;
    const before = socket.eventNames();
    change(socket);
    assert.equal(takeFromNode(server, socket), false);
    assert.deepEqual(socket.eventNames(), before);
    assert.equal(isNodesConnection(socket), true);
    Object.defineProperty(socket, '_handle', { value: handle });
    close(stage);
  });
}

test('connections of a Node with one listener more stay with it', async () => {
  const listeningMore = `
    const Given = http.Server;
    http.Server = class Server extends Given {
      constructor(...given) {
        super(...given);
        const [nodes] = this.listeners('connection');
        this.removeAllListeners('connection');
        this.on('connection', function connectionListener(socket) {
          nodes.call(this, socket);
          socket.on('novelty', () => {});
        });
      }
    };
  `;
  const asked = `(async () => {
    const server = new http.Server().on('request', (_req, res) => res.end('answer'));
    const accepted = new Promise((done) => server.on('connection', done));
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    const client = net.connect(server.address().port, '127.0.0.1');
    client.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
    await new Promise((done) => client.once('data', done));
    await new Promise(setImmediate);
    const socket = await accepted;
    const taken = part.takeFromNode(server, socket);
    for (const each of [client, socket]) each.destroy();
    server.close();
    return taken;
  })()`;
  assert.equal(await inChangedNode('', 'nodes-connection', asked), true);
  assert.equal(await inChangedNode(listeningMore, 'nodes-connection', asked), false);
});
