import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import express from 'nonstop';

const here = (...names) => path.join(import.meta.dirname, ...names);
const app = express();
const server = createServer(app);

/** Renders the page: in development `template` and `render` come from Vite, in production from files of the build. */
let load;

if (process.env.NODE_ENV === 'production') {
  const template = await readFile(here('dist/client/index.html'), 'utf8');
  const { render } = await import('./dist/server/entry-server.js');
  app.use(express.static(here('dist/client'), { index: false, maxAge: '1h' }));
  load = async () => ({ template, render });
} else {
  const { createServer: createVite } = await import('vite');
  const vite = await createVite({
    root: here('.'),
    appType: 'custom',
    // Hot reload uses Vite's WebSocket, on the port of this server.
    server: { middlewareMode: true, hmr: { server } },
  });
  app.use(vite.middlewares);
  load = async (url) => ({
    template: await vite.transformIndexHtml(url, await readFile(here('index.html'), 'utf8')),
    render: (await vite.ssrLoadModule('/src/entry-server.js')).render,
  });
}

app.get('/{*path}', async (req, res) => {
  const { template, render } = await load(req.originalUrl);
  res.type('html').send(template.replace('<!--app-->', () => render(req.path)));
});

server.listen(process.env.PORT ?? 3000, () => {
  console.log(`http://localhost:${server.address().port}`);
});
