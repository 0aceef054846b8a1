import assert = require('node:assert/strict');
import { once } from 'node:events';
import net = require('node:net');
import path = require('node:path');
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { MessageChannel, Worker, type Transferable } from 'node:worker_threads';
import { maskDate } from '../support/both-doors.js';
import { doors, type Door } from '../support/doors.js';
import { subject } from '../support/subject.js';

/*
 * Some releases of Node 24 and 26 can transfer a connection that nothing was read from, or a listening server, to a worker thread. The
 * worker's own HTTP server gets the connections.
 */

const WORKER = `
  const { parentPort, workerData: { engine } } = require('node:worker_threads');
  const server = require('node:http').createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (data) => (body += data)).on('end', () => res.end(req.url + body));
  });
  if (engine !== undefined && !require(engine).accelerate(server)) throw new Error('accelerate() did not take this server over');
  parentPort.on('message', ({ socket, listening }) => {
    if (socket !== undefined) return server.emit('connection', socket);
    listening.on('connection', (connection) => server.emit('connection', connection));
    parentPort.postMessage('listens');
  });
  parentPort.postMessage('ready');
`;

const REQUESTS =
  'GET /one HTTP/1.1\r\nHost: a\r\n\r\n' +
  'POST /two HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 5\r\n\r\n body';

/** These versions say of a socket without a connection that it cannot be transferred; the others do not know a transferred socket. */
function transfersSockets(): boolean {
  const { port1 } = new MessageChannel();
  try {
    port1.postMessage({}, [new net.Socket() as unknown as Transferable]);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_HANDLE_NOT_TRANSFERABLE';
  } finally {
    port1.close();
  }
}

type Transfer = (message: object, moved: net.Socket | net.Server) => void;

const ways: Readonly<Record<string, (door: Door, transfer: Transfer) => net.Server>> = {
  'the connections of a net.Server': (_, transfer) =>
    net.createServer({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => transfer({ socket }, socket)),
  'connections of an http.Server, as soon as they are open': ({ createServer }, transfer) =>
    createServer({}).on('connection', (socket) => transfer({ socket }, socket)),
  'a listening http.Server': ({ createServer }, transfer) => {
    const server = createServer({});
    return server.once('listening', () => transfer({ listening: server }, server));
  },
};

async function answers(door: Door, way: string): Promise<string> {
  const engine = door.name === 'engine' ? path.join(subject, 'http.js') : undefined;
  const worker = new Worker(WORKER, { eval: true, workerData: { engine } });
  await once(worker, 'message');
  const server = ways[way](door, (message, moved) => worker.postMessage(message, [moved as unknown as Transferable]));
  try {
    const listens = way.startsWith('a listening') ? once(worker, 'message') : undefined;
    let port = 0;
    server.prependOnceListener('listening', () => ({ port } = server.address() as net.AddressInfo));
    server.listen(0, '127.0.0.1');
    await (listens ?? once(server, 'listening'));
    const client = net.connect(port, '127.0.0.1');
    client.write(REQUESTS);
    return maskDate(Buffer.from(await text(client)));
  } finally {
    server.close();
    await worker.terminate();
  }
}

const skip = transfersSockets() ? false : 'this Node cannot transfer sockets';
for (const way of Object.keys(ways)) {
  test(`${way}, transferred to a worker, get its answers`, { skip }, async () => {
    const [oracle, engine] = doors;
    const expected = await answers(oracle, way);
    assert.match(expected, /\/one[^]*\/two body$/);
    assert.equal(await answers(engine, way), expected);
  });
}
