module.exports = {
  wants: ['next', 'react', 'react-dom', 'express'],
  about: 'a custom server with its own routes: a page, an API route, a route handler, a redirect, 404; built before',
  folder: 'next',
  heavy: true,
  clock: 'runs',
  seconds: 400,
  chunks: false,
  masks: [
    [/(ETag|Content-Length|x-nextjs-[\w-]+): .*/gi, ''],
    [/"buildId":"[^"]*"|_next\/static\/[\w-]+\/|"b":"[^"]*"|\\"b\\":\\"[^"]*\\"/g, 'X'],
  ],
  files: {
    'package.json': '{ "private": true }',
    'next.config.js':
      'module.exports = { generateBuildId: () => "one", poweredByHeader: true, redirects: async () => [{ source: "/old", destination: "/", permanent: true }] };',
    'pages/index.js':
      'export default function Home({ query }) { return <main>hello {query}</main>; }\nexport const getServerSideProps = ({ query }) => ({ props: { query: query.a ?? "nobody" } });\n',
    'pages/api/hello.js':
      'export default function handler(req, res) { res.status(req.method === "POST" ? 201 : 200).json({ method: req.method, body: req.body ?? null, query: req.query }); }\n',
  },
  async start({ folder }) {
    const { execFileSync } = require('node:child_process');
    const { NODE_OPTIONS, ...env } = process.env;
    // Without Nonstop: the build is not compared.
    execFileSync(process.execPath, [require.resolve('next/dist/bin/next'), 'build', '--webpack', folder], {
      env: { ...env, NEXT_TELEMETRY_DISABLED: '1' },
      stdio: 'pipe',
    });
    const express = require('express');
    const next = require('next');
    const nextApp = next({ dev: false, dir: folder });
    const handle = nextApp.getRequestHandler();
    await nextApp.prepare();
    const app = express();
    app.get('/express/:id', (req, res) => res.json(req.params));
    app.all('/{*path}', (req, res) => handle(req, res));
    return app;
  },
  requests: [
    'GET /?a=ann',
    'GET /',
    'GET /api/hello?x=1',
    'POST /api/hello\nContent-Type: application/json\n\n{"a":1}',
    'GET /express/7',
    'GET /old',
    'GET /nowhere',
    'HEAD /',
    'GET /\nAccept-Encoding: gzip',
  ],
};
