import assert = require('node:assert/strict');
import { once } from 'node:events';
import type http = require('node:http');
import https = require('node:https');
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import tls = require('node:tls');
import { maskDate } from '../support/both-doors.js';
import { certificate, otherCertificate } from '../support/certificate.js';
import { doors } from '../support/doors.js';

const get = (path: string, ...lines: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: secure', ...lines, '', ''].join('\r\n');
const last = (path: string): string => get(path, 'Connection: close');

interface Secure {
  readonly options?: https.ServerOptions;
  readonly setup?: (server: https.Server, note: (what: unknown) => void) => void;
  readonly handler?: (req: http.IncomingMessage, res: http.ServerResponse, note: (what: unknown) => void) => unknown;
  /** One connection for each, one after another. */
  readonly connect: readonly tls.ConnectionOptions[];
  readonly send?: string;
  /** Runs on each connection instead of waiting for its end. */
  readonly talk?: (socket: tls.TLSSocket, server: https.Server) => Promise<unknown>;
}

/** @returns the notes of the server, the octets each client received, and the error that ended its connection, if any */
async function play(door: (typeof doors)[number], scenario: Secure): Promise<unknown[]> {
  const { options = {}, setup, handler = whoAsks, connect, send = last('/'), talk } = scenario;
  const seen: unknown[] = [];
  const note = (what: unknown): unknown => seen.push(what);
  const server = door.createSecureServer({ ...certificate(), ...options }, (req, res) => handler(req, res, note));
  setup?.(server, note);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    for (const each of connect) {
      const { port } = server.address() as AddressInfo;
      const socket = tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ...each });
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      const parts: Buffer[] = [];
      let shown: unknown;
      socket.on('secureConnect', () => (shown = socket.getPeerCertificate().subject?.CN));
      socket.on('data', (part: Buffer) => parts.push(part));
      // Whether the client sees a failed handshake as an alert or as a reset is a race.
      socket.on('error', () => note('the client failed'));
      socket.write(send);
      await talk?.(socket, server);
      await closed;
      note([socket.alpnProtocol, shown, maskDate(Buffer.concat(parts))]);
    }
    return seen;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const whoAsks: NonNullable<Secure['handler']> = (req, res) => {
  const socket = req.socket as tls.TLSSocket & { servername?: string };
  const { encrypted, authorized, servername, alpnProtocol } = socket;
  const client = socket.getPeerCertificate().subject?.CN;
  res.end(JSON.stringify([req.url, encrypted, authorized, servername, alpnProtocol, client]));
};

const own = { ca: otherCertificate().cert, requestCert: true };
const scenarios: Record<string, Secure> = {
  'a name chooses the certificate by SNICallback': {
    options: {
      SNICallback: (name, done) =>
        done(null, name === 'other.test' ? tls.createSecureContext(otherCertificate()) : undefined),
    },
    connect: [{ servername: 'other.test' }, { servername: 'localhost' }, {}],
  },
  'a name chooses the certificate by addContext': {
    setup: (server) => server.addContext('*.test', otherCertificate()),
    connect: [{ servername: 'other.test' }, { servername: 'localhost' }],
  },
  "methods of the server's prototype close its connections": {
    connect: [{}],
    send: get('/'),
    setup: (server, note) => {
      note([Object.hasOwn(server, 'closeAllConnections'), Object.hasOwn(server, 'closeIdleConnections')]);
    },
    talk: async (socket, server) => {
      await once(socket, 'data');
      https.Server.prototype.closeAllConnections.call(server);
    },
  },
  'client certificates are asked for': {
    options: { ...own, rejectUnauthorized: false },
    connect: [otherCertificate(), certificate(), {}],
  },
  'client certificates are demanded': {
    options: { ...own, rejectUnauthorized: true, maxVersion: 'TLSv1.2' },
    setup: (server, note) => server.on('tlsClientError', () => note('tlsClientError')),
    connect: [otherCertificate(), {}],
  },
  'http/1.1 is chosen by ALPN': {
    connect: [
      { ALPNProtocols: ['h2', 'http/1.1'] },
      { ALPNProtocols: ['http/1.1'] },
      { ALPNProtocols: ['http/1.0'] },
      {},
    ],
  },
  'ALPN as the server says': {
    options: { ALPNProtocols: ['x', 'http/1.1'] },
    connect: [{ ALPNProtocols: ['http/1.1', 'x'] }],
  },
  'pipelined requests are answered in order': {
    send: get('/1') + get('/2') + last('/3'),
    handler: (req, res) => setTimeout(() => res.end(req.url), req.url === '/1' ? 20 : 0),
    connect: [{}],
  },
  'a megabyte comes back as it was sent': {
    send: `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n${'0123456789'.repeat(100_000)}`,
    // With Content-Length: chunks would be cut at the ends of reads.
    handler: (req, res) => req.pipe(res.setHeader('Content-Length', 1_000_000)),
    connect: [{}],
  },
  'a connection that is upgraded': {
    setup: (server, note) =>
      server.on('upgrade', (req: http.IncomingMessage, socket, head: Buffer) => {
        note(['upgrade', req.url, head.toString(), (socket as tls.TLSSocket).encrypted]);
        socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nbye');
      }),
    send: `${get('/up', 'Connection: upgrade', 'Upgrade: x')}head`,
    connect: [{}],
  },
  'bad input is refused': { send: 'GARBAGE\r\n\r\n', connect: [{}] },
  'a head that does not end is late': {
    options: { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 20 },
    send: 'GET / HTTP/1.1\r\n',
    connect: [{}],
  },
  'an idle connection ends after keepAliveTimeout': {
    options: { keepAliveTimeout: 20, keepAliveTimeoutBuffer: 0 } as https.ServerOptions,
    send: get('/'),
    connect: [{}],
  },
  'close() ends idle connections': {
    send: get('/'),
    talk: async (socket, server) => {
      await once(socket, 'data');
      server.close();
    },
    connect: [{}],
  },
};

for (const [name, scenario] of Object.entries(scenarios)) {
  test(`https: ${name}`, async () => {
    const [oracle, engine] = doors;
    const expected = await play(oracle, scenario);
    assert.deepEqual(await play(engine, scenario), expected);
  });
}

for (const door of doors) {
  test(`a timeout of the socket below TLS begins again with each read (${door.name})`, async () => {
    const server = door.createSecureServer(certificate(), (req, res) => {
      req.resume().on('end', () => res.end('answer'));
    });
    server.on('connection', (socket: Socket) => socket.setTimeout(400, () => socket.destroy()));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const asked = https.request({ host: '127.0.0.1', port, method: 'POST', rejectUnauthorized: false, agent: false });
    const answered = once(asked, 'response');
    for (let i = 0; i < 12; i++) {
      asked.write('x');
      await sleep(50);
    }
    asked.end();
    const [answer] = (await answered) as [http.IncomingMessage];
    assert.equal(String(Buffer.concat((await answer.toArray()) as Buffer[])), 'answer');
    server.close();
    server.closeAllConnections();
  });
}
