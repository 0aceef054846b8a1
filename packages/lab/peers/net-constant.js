'use strict';

const net = require('node:net');
const announce = require('./announce');

/**
 * The lower bound: one constant answer to each chunk of data. Nothing is parsed, so this is the cost of node's sockets and of the
 * kernel for a request that is sent alone. PIPELINED is the number of answers to a chunk (default: 1); with CLOSES the connection
 * ends behind them.
 */
const { DOOR, PORT, PIPELINED = '1', CLOSES } = process.env;
const body = 'Hello World!';
const answer =
  `HTTP/1.1 200 OK\r\nX-Powered-By: none\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ${body.length}\r\n` +
  'ETag: W/"c-Lve95gjOVATpfV8EL5X4nxwjKHE"\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n' +
  (CLOSES === undefined ? 'Connection: keep-alive\r\nKeep-Alive: timeout=5' : 'Connection: close') +
  `\r\n\r\n${body}`;
const answers = Buffer.from(answer.repeat(Number(PIPELINED)));

const server = net.createServer((socket) => {
  const send = CLOSES === undefined ? () => socket.write(answers) : () => socket.end(answers);
  socket.on('data', send).on('error', () => socket.destroy());
});
announce(DOOR === 'proxied' ? require('./proxied')(server) : server.listen(Number(PORT), '127.0.0.1'));
