'use strict';

const net = require('node:net');

/**
 * A proxy that sends the requests of all its clients over two connections to UPSTREAM, one request at a time on each, as nginx does with
 * `keepalive 2`. It supports only the HTTP of the lab's load: requests without a body, answers with a Content-Length.
 */
const CONNECTIONS = 2;
const HEAD_END = '\r\n\r\n';

/** Clients with a complete request, in order. */
const waiting = [];
/** The connection that became free last is used first, as in nginx. */
const free = [];

class Upstream {
  constructor() {
    this.client = undefined;
    this.text = '';
    this.connect();
  }

  connect() {
    this.socket = net.connect(Number(process.env.UPSTREAM), '127.0.0.1');
    this.socket.setNoDelay(true).setEncoding('latin1');
    this.socket.on('data', (text) => this.read(text));
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      // Without its server the proxy is useless. But a server closes a connection that was idle for long, between two samples.
      if (this.client !== undefined) process.exit();
      this.socket = undefined;
    });
  }

  send({ client, request }) {
    this.client = client;
    if (this.socket === undefined) this.connect();
    this.socket.write(request.replace(/^connection: close/im, 'Connection: keep-alive'), 'latin1');
  }

  read(text) {
    this.text += text;
    const head = this.text.indexOf(HEAD_END);
    if (head === -1) return;
    const length = Number(/^content-length: (\d+)/im.exec(this.text)[1]);
    if (this.text.length < head + HEAD_END.length + length) return;
    if (this.client.writable) this.client.write(this.text, 'latin1');
    this.text = '';
    this.client = undefined;
    free.push(this);
    next();
  }
}

function next() {
  while (free.length > 0 && waiting.length > 0) free.pop().send(waiting.shift());
}

for (let count = 0; count < CONNECTIONS; count++) {
  const upstream = new Upstream();
  upstream.socket.once('connect', () => {
    free.push(upstream);
    if (free.length === CONNECTIONS) proxy.listen(Number(process.env.PORT), '127.0.0.1');
  });
}

const proxy = net.createServer((client) => {
  let text = '';
  client.setNoDelay(true).setEncoding('latin1');
  client.on('error', () => {});
  client.on('data', (more) => {
    text += more;
    for (let end = text.indexOf(HEAD_END); end !== -1; end = text.indexOf(HEAD_END)) {
      waiting.push({ client, request: text.slice(0, end + HEAD_END.length) });
      text = text.slice(end + HEAD_END.length);
    }
    next();
  });
});
proxy.once('listening', () => console.log(proxy.address().port));
// The server that started it holds the other end.
process.stdin.resume().once('end', () => process.exit());
