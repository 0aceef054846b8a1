import next from 'next';
import express from 'nonstop';

const pages = next({ dev: process.env.NODE_ENV !== 'production', dir: import.meta.dirname });
const handle = pages.getRequestHandler();
await pages.prepare();

const app = express();

app.get('/api/time/:zone', (req, res) => {
  res.json({ zone: req.params.zone, served: 'by the application' });
});

// Everything else is Next's: pages, assets, its own API routes.
app.all('/{*path}', (req, res) => handle(req, res));

const server = app.listen(process.env.PORT ?? 3000, (error) => {
  if (error) throw error;
  console.log(`http://localhost:${server.address().port}`);
});
// In development Next reloads pages over a WebSocket of its own.
const upgrade = pages.getUpgradeHandler();
server.on('upgrade', (req, socket, head) => {
  // Without a listener, a client that resets its connection before Next adds its own would end the process.
  socket.on('error', () => socket.destroy());
  upgrade(req, socket, head);
});
