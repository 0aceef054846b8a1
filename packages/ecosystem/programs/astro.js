module.exports = {
  wants: ['astro', '@astrojs/node', 'express'],
  about: 'the handler of its Node adapter as middleware: a page, an endpoint, files, 404; built before',
  folder: 'astro',
  heavy: true,
  node: 22,
  clock: 'runs',
  seconds: 300,
  chunks: false,
  files: {
    'package.json': '{ "private": true, "type": "commonjs" }',
    'astro.config.mjs':
      "import { defineConfig } from 'astro/config';\nimport node from '@astrojs/node';\nexport default defineConfig({ output: 'server', adapter: node({ mode: 'middleware' }), telemetry: false });\n",
    'src/pages/index.astro':
      '---\nconst { user } = Astro.locals;\n---\n<html><body>hello {user} {Astro.url.searchParams.get("a")}</body></html>\n',
    'src/pages/api.json.js':
      'export const prerender = false;\nexport const POST = async ({ request }) => Response.json({ got: await request.json() }, { status: 201 });\n',
    'public/robots.txt': 'User-agent: *\n',
  },
  async start({ folder }) {
    const { execFileSync } = require('node:child_process');
    const { NODE_OPTIONS, NODE_PATH, ...env } = process.env;
    const bin = require('node:path').join(folder, '../../node_modules/astro/bin/astro.mjs');
    execFileSync(process.execPath, [bin, 'build', '--root', folder], {
      cwd: folder,
      env: { ...env, ASTRO_TELEMETRY_DISABLED: '1' },
      stdio: 'pipe',
    });
    const express = require('express');
    const { handler } = await import(require('node:url').pathToFileURL(`${folder}/dist/server/entry.mjs`).href);
    const app = express();
    app.use(express.static(`${folder}/dist/client`, { lastModified: false, etag: false }));
    app.use((req, res, next) => handler(req, res, next, { user: 'ann' }));
    app.use((req, res) => res.status(404).send('of Express'));
    return app;
  },
  requests: [
    'GET /?a=1',
    'POST /api.json\nContent-Type: application/json\nOrigin: http://ecosystem.test\n\n{"a":1}',
    'GET /robots.txt',
    'GET /nowhere',
    'HEAD /',
  ],
};
