import express from 'nonstop';
import { Server } from 'socket.io';

const app = express();

app.get('/', (req, res) => {
  res.send(`<!doctype html><meta charset="utf-8"><title>Chat</title>
<ul id="lines"></ul><form><input name="text" autocomplete="off" autofocus><button>Say</button></form>
<script src="/socket.io/socket.io.js"></script>
<script>
  const socket = io();
  socket.on('said', (text) => {
    const line = document.createElement('li');
    line.textContent = text;
    document.querySelector('#lines').append(line);
  });
  document.querySelector('form').onsubmit = (event) => {
    event.preventDefault();
    socket.emit('say', event.target.text.value, () => {});
    event.target.reset();
  };
</script>`);
});

const server = app.listen(process.env.PORT ?? 3000, (error) => {
  if (error) throw error;
  console.log(`http://localhost:${server.address().port}`);
});

// socket.io serves requests and upgrades below /socket.io/; the application serves all others.
const io = new Server(server, { maxHttpBufferSize: 10_000 });

io.on('connection', (socket) => {
  socket.on('say', (text, heard) => {
    if (typeof text !== 'string' || typeof heard !== 'function') return;
    io.emit('said', text);
    heard(io.engine.clientsCount);
  });
});
