'use strict';

const express = require('nonstop');
const { WebSocket, WebSocketServer } = require('ws');

const PING_MS = 30_000;

/** Browsers let any site open a WebSocket to any other site, so check the origin. It may be `null`, or anything that a client made up. */
function isAllowed({ url, headers: { origin, host } }) {
  return url === '/chat' && (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host));
}

/** Answers an upgrade that is not allowed. */
function refuse(socket) {
  // Without a listener, a client that resets its connection would end the process.
  socket.on('error', () => socket.destroy());
  // A client that keeps its half of the connection open does not hold the socket.
  socket.once('finish', () => socket.destroy());
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
}

/** @returns {{ app: import('nonstop').Express, attach(server: import('node:http').Server): WebSocketServer }} */
function createChat() {
  const app = express();
  app.get('/', (req, res) => {
    res.send(`<!doctype html><meta charset="utf-8"><title>Chat</title>
<ul id="lines"></ul><form><input name="text" autocomplete="off" autofocus><button>Say</button></form>
<script>
  const socket = new WebSocket('ws' + location.origin.slice(4) + '/chat');
  socket.onmessage = ({ data }) => {
    const line = document.createElement('li');
    line.textContent = JSON.parse(data).text;
    document.querySelector('#lines').append(line);
  };
  document.querySelector('form').onsubmit = (event) => {
    event.preventDefault();
    socket.send(event.target.text.value);
    event.target.reset();
  };
</script>`);
  });

  /** Handles the upgrades of a server; requests still go to the application. */
  function attach(server) {
    const chat = new WebSocketServer({ noServer: true, maxPayload: 4096 });

    server.on('upgrade', (req, socket, head) => {
      if (!isAllowed(req)) return refuse(socket);
      chat.handleUpgrade(req, socket, head, (client) => chat.emit('connection', client, req));
    });

    chat.on('connection', (client) => {
      client.isAlive = true;
      client.on('pong', () => (client.isAlive = true));
      client.on('error', () => client.terminate());
      client.on('message', (bytes) => {
        const text = JSON.stringify({ text: String(bytes) });
        for (const other of chat.clients) if (other.readyState === WebSocket.OPEN) other.send(text);
      });
    });

    // A client without a network sends nothing. If it does not answer a ping, it is gone.
    const pings = setInterval(() => {
      for (const client of chat.clients) {
        if (!client.isAlive) {
          client.terminate();
          continue;
        }
        client.isAlive = false;
        client.ping();
      }
    }, PING_MS);
    pings.unref();
    chat.on('close', () => clearInterval(pings));
    return chat;
  }

  return { app, attach };
}

module.exports = { createChat };

if (require.main === module) {
  const { app, attach } = createChat();
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error;
    console.log(`http://localhost:${server.address().port}`);
  });
  attach(server);
}
