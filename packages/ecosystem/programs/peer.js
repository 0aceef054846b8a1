module.exports = {
  wants: ['peer', 'express@4', 'ws'],
  about: 'ExpressPeerServer: identifiers, a list of peers, messages between two sockets',
  clock: 'runs',
  start({ note }) {
    const express = require('express');
    const { ExpressPeerServer } = require('peer');
    const app = express();
    const server = require('node:http').createServer(app);
    const peers = ExpressPeerServer(server, { path: '/', allow_discovery: true, generateClientId: () => 'an-id' });
    app.use('/peerjs', peers);
    app.get('/', (req, res) => res.send('a page'));
    peers.on('connection', (client) => note('connected', client.getId()));
    peers.on('disconnect', (client) => note('gone', client.getId()));
    return server;
  },
  requests: ['GET /', 'GET /peerjs', 'GET /peerjs/peerjs/id', 'GET /peerjs/peerjs/peers'],
  async play({ note, port, send }) {
    const { WebSocket } = require('ws');
    const join = (id) => new WebSocket(`ws://127.0.0.1:${port}/peerjs/peerjs?key=peerjs&id=${id}&token=t${id}`);
    const next = (socket) => new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(data))));
    const ann = join('ann');
    note('ann', await next(ann));
    const ben = join('ben');
    note('ben', await next(ben));
    await send('GET /peerjs/peerjs/peers');
    const told = next(ben);
    ann.send(JSON.stringify({ type: 'OFFER', dst: 'ben', payload: { sdp: 'x' } }));
    note('offer', await told);
    const wrong = join('');
    note('wrong', await next(wrong));
    const closed = new Promise((resolve) => ann.once('close', resolve));
    ann.close();
    note('closed', await closed);
  },
};
