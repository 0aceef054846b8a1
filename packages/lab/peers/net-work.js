'use strict';

const crypto = require('node:crypto');
const net = require('node:net');
const announce = require('./announce');

/**
 * The lower bound of `varied` and `async`: only what their handlers do themselves (the JSON, its entity tag, the await), on node's sockets.
 * Each chunk of data counts as one request, of which two values are cut out by their places; nothing is parsed or checked.
 */
const PATH = 'GET /items/';
const AGENT = '\r\nUser-Agent: ';

function answerTo(head) {
  const id = head.slice(PATH.length, head.indexOf(' ', PATH.length));
  const start = head.indexOf(AGENT) + AGENT.length;
  const agent = head.slice(start, head.indexOf('\r', start));
  const body = JSON.stringify({ id, agent, name: `item ${id}`, tags: ['a', 'b'] });
  const hash = crypto.hash('sha1', body, 'base64').slice(0, 27);
  return (
    'HTTP/1.1 200 OK\r\nX-Powered-By: Express\r\nCache-Control: no-cache\r\nContent-Type: application/json; charset=utf-8\r\n' +
    `Content-Length: ${body.length}\r\nETag: W/"${body.length.toString(16)}-${hash}"\r\nDate: ${date}\r\n` +
    `Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n${body}`
  );
}

let date = new Date().toUTCString();
setInterval(() => (date = new Date().toUTCString()), 1000).unref();

const works = {
  varied(head, socket) {
    socket.write(answerTo(head), 'latin1');
  },

  async async(head, socket) {
    await new Promise((resolve) => setImmediate(resolve));
    socket.write(answerTo(head), 'latin1');
  },
};

const work = works[process.env.SCENARIO];
const server = net.createServer((socket) => {
  socket.on('data', (chunk) => work(chunk.latin1Slice(), socket)).on('error', () => socket.destroy());
});
const { DOOR, PORT } = process.env;
announce(DOOR === 'proxied' ? require('./proxied')(server) : server.listen(Number(PORT), '127.0.0.1'));
