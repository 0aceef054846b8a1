module.exports = {
  wants: ['node-red', 'express', 'ws'],
  about: 'embedded: the editor, its settings, a flow deployed over the API, its endpoint, the events over WebSocket',
  folder: 'node-red',
  heavy: true,
  seconds: 180,
  clock: 'runs',
  chunks: false,
  masks: [
    [/"rev":"[^"]*"/g, '"rev":"X"'],
    [/[?&]v=\w+/g, 'V'],
    [/ETag: .*|Content-Length: .*/gi, ''],
  ],
  async start({ folder }) {
    const express = require('express');
    const http = require('node:http');
    const RED = require('node-red');
    const app = express();
    const server = http.createServer(app);
    RED.init(server, {
      httpAdminRoot: '/red',
      httpNodeRoot: '/api',
      userDir: `${folder}/user`,
      flowFile: 'flows.json',
      logging: { console: { level: 'off' } },
      credentialSecret: 'x',
      telemetry: { enabled: false, updateNotification: false },
      externalModules: { autoInstall: false },
    });
    app.use('/red', RED.httpAdmin);
    app.use('/api', RED.httpNode);
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    await RED.start();
    return server;
  },
  async play({ send, note, port }) {
    const { WebSocket } = require('ws');
    await send('GET /red/');
    await send('GET /red/settings\nAccept: application/json');
    await send('GET /red/auth/login');
    const flow = [
      { id: 'f', type: 'tab', label: 'one' },
      { id: 'a', type: 'http in', z: 'f', url: '/hello', method: 'post', wires: [['b']] },
      {
        id: 'b',
        type: 'function',
        z: 'f',
        func: 'msg.payload = { got: msg.payload }; return msg;',
        outputs: 1,
        wires: [['c']],
      },
      { id: 'c', type: 'http response', z: 'f', statusCode: '201', wires: [] },
    ];
    await send(
      `POST /red/flows\nContent-Type: application/json\nNode-RED-API-Version: v2\n\n${JSON.stringify({ flows: flow })}`,
    );
    await send('GET /red/flows\nNode-RED-API-Version: v2');
    await send('POST /api/hello\nContent-Type: application/json\n\n{"a":1}');
    await send('GET /api/hello');
    const socket = new WebSocket(`ws://127.0.0.1:${port}/red/comms`);
    await require('node:events').once(socket, 'open');
    socket.close();
    note('closed', (await require('node:events').once(socket, 'close'))[0]);
  },
};
