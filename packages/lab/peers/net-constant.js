'use strict';

const net = require('node:net');
const announce = require('./announce');

/**
 * The lower bound: one constant answer to each chunk of data. Nothing is parsed, so this is the cost of node's sockets and of the
 * kernel for a request that is sent alone.
 */
const body = 'Hello World!';
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\nX-Powered-By: none\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ${body.length}\r\n` +
    'ETag: W/"c-Lve95gjOVATpfV8EL5X4nxwjKHE"\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nConnection: keep-alive\r\n' +
    `Keep-Alive: timeout=5\r\n\r\n${body}`,
);

const server = net.createServer((socket) => {
  socket.on('data', () => socket.write(answer)).on('error', () => socket.destroy());
});
const { DOOR, PORT } = process.env;
announce(DOOR === 'proxied' ? require('./proxied')(server) : server.listen(Number(PORT), '127.0.0.1'));
