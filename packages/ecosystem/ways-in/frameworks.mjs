import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { right } from './projects.mjs';

/**
 * @typedef {{ folder: string, env: NodeJS.ProcessEnv, tarballs: Record<number, string> }} Project
 * @typedef {object} Tools helpers for the ways
 * @property {(project: Project, manifest: object, files: Record<string, string>) => void} write
 * @property {(project: Project, ...packages: string[]) => Promise<unknown>} install
 * @property {(project: Project, args: string[]) => Promise<string>} node runs it and returns its stdout
 * @typedef {{ packages: string[], files: Record<string, string>, build?: string[], start: string[] }} Framework
 */

const PRELOAD = ['--import', 'nonstop/http/register'];

/** Writes down who serves each request. */
const COUNT = `
  import diagnostics from 'node:diagnostics_channel';
  import { appendFileSync } from 'node:fs';
  diagnostics.subscribe('http.server.request.start', ({ request }) => {
    const own = Object.getOwnPropertySymbols(request).some(({ description }) => description === 'nonstop.connection');
    appendFileSync('served', own ? 'engine\\n' : 'node:http\\n');
  });`;

/** The last lines of a program with a server. */
const told = `console.log('http://127.0.0.1:' + server.address().port)`;
const listens = `const server = made.listen(0, '127.0.0.1', () => { ${told} });`;
const PARTS = `(() => {
        const parts = new (require('node:stream').PassThrough)();
        parts.write('one ');
        setImmediate(() => parts.end('two'));
        return parts;
      })()`;

/** @param {string} program @returns {Pick<Framework, 'files' | 'start'>} */
const script = (program) => ({ files: { 'app.cjs': program }, start: ['app.cjs'] });

/** Each answers the same requests in its own way. @type {Record<string, Framework>} */
const FRAMEWORKS = {
  Koa: {
    packages: ['koa@3'],
    ...script(`
      const made = new (require('koa'))();
      made.use(async (ctx) => {
        if (ctx.path === '/hello') ctx.body = 'hello';
        if (ctx.path === '/stream') ctx.body = ${PARTS};
        if (ctx.path === '/fails') ctx.throw(418, 'teapot');
        if (ctx.path !== '/echo') return;
        ctx.body = JSON.parse(await require('node:stream/consumers').text(ctx.req));
        ctx.status = 201;
      });
      made.silent = true;
      ${listens}`),
  },
  Fastify: {
    packages: ['fastify@5'],
    ...script(`
      const made = require('fastify')();
      made.get('/hello', async () => 'hello');
      made.get('/stream', (req, reply) => reply.send(${PARTS}));
      made.get('/fails', async () => { throw Object.assign(new Error('teapot'), { statusCode: 418 }); });
      made.post('/echo', async (req, reply) => reply.code(201).send(req.body));
      made.listen({ port: 0, host: '127.0.0.1' }).then((address) => console.log(address));`),
  },
  Hapi: {
    packages: ['@hapi/hapi@21'],
    ...script(`
      const made = require('@hapi/hapi').server({ port: 0, host: '127.0.0.1' });
      made.route([
        { method: 'GET', path: '/hello', handler: () => 'hello' },
        { method: 'GET', path: '/stream', handler: () => ${PARTS} },
        { method: 'GET', path: '/fails', handler: (req, h) => h.response('teapot').code(418) },
        { method: 'POST', path: '/echo', handler: (req, h) => h.response(req.payload).code(201) },
      ]);
      made.start().then(() => console.log(made.info.uri));`),
  },
  Restify: {
    packages: ['restify@12'],
    ...script(`
      const restify = require('restify');
      const made = restify.createServer();
      made.use(restify.plugins.bodyParser());
      made.get('/hello', async (req, res) => { res.contentType = 'text/plain'; res.send('hello'); });
      made.get('/stream', (req, res, next) => { ${PARTS}.pipe(res); res.on('finish', next); });
      made.get('/fails', async () => { throw Object.assign(new Error('teapot'), { statusCode: 418 }); });
      made.post('/echo', async (req, res) => { res.send(201, req.body); });
      made.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + made.address().port));`),
  },
  Hono: {
    packages: ['hono@4', '@hono/node-server@1'],
    ...script(`
      const made = new (require('hono').Hono)();
      made.get('/hello', (c) => c.text('hello'));
      made.get('/stream', () => new Response(require('node:stream').Readable.toWeb(${PARTS})));
      made.get('/fails', (c) => c.text('teapot', 418));
      made.post('/echo', async (c) => c.json(await c.req.json(), 201));
      require('@hono/node-server').serve({ fetch: made.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log('http://127.0.0.1:' + port));`),
  },
  Polka: {
    packages: ['polka@0.5'],
    ...script(`
      const made = require('polka')();
      made.get('/hello', (req, res) => res.end('hello'));
      made.get('/stream', (req, res) => void ${PARTS}.pipe(res));
      made.get('/fails', (req, res) => { res.statusCode = 418; res.end('teapot'); });
      made.post('/echo', (req, res) => { res.statusCode = 201; req.pipe(res); });
      made.listen(0, '127.0.0.1', () => { const { server } = made; ${told} });`),
  },
  'Nest on Fastify': {
    packages: ['@nestjs/common@12', '@nestjs/core@12', '@nestjs/platform-fastify@12', 'reflect-metadata', 'rxjs'],
    ...script(`
      require('reflect-metadata');
      const { Body, Controller, Get, HttpException, Module, Post, StreamableFile } = require('@nestjs/common');
      class Routes {
        hello() { return 'hello'; }
        stream() { return new StreamableFile(${PARTS}); }
        fails() { throw new HttpException('teapot', 418); }
        echo(body) { return body; }
      }
      // Decorators without a compiler.
      const of = (name) => [Routes.prototype, name, Object.getOwnPropertyDescriptor(Routes.prototype, name)];
      for (const name of ['hello', 'stream', 'fails']) Get(name)(...of(name));
      Post('echo')(...of('echo'));
      Body()(Routes.prototype, 'echo', 0);
      Controller()(Routes);
      class App {}
      Module({ controllers: [Routes] })(App);
      const { FastifyAdapter } = require('@nestjs/platform-fastify');
      require('@nestjs/core').NestFactory.create(App, new FastifyAdapter(), { logger: false })
        .then(async (made) => { await made.listen(0, '127.0.0.1'); console.log(await made.getUrl()); });`),
  },
  Next: {
    packages: ['next@16', 'react@19', 'react-dom@19'],
    files: {
      'next.config.mjs': 'export default {};',
      'pages/hello.js':
        "import { createElement } from 'react'; export default () => createElement('p', null, 'hello');",
      'pages/api/echo.js': 'export default (req, res) => res.status(201).json(req.body);',
    },
    build: ['node_modules/next/dist/bin/next', 'build'],
    start: ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', '0'],
  },
};

/** Path, and the rest of a request. @type {[where: string, init?: RequestInit][]} */
const REQUESTS = [
  ['/hello'],
  ['/hello', { method: 'HEAD' }],
  ['/stream'],
  ['/fails'],
  ['/missing'],
  ...['/echo', '/api/echo'].map(
    (where) =>
      /** @type {[string, RequestInit]} */ ([
        where,
        {
          method: 'POST',
          body: '{"a":[1]}',
          headers: { 'Content-Type': 'application/json' },
        },
      ]),
  ),
];

/** The answers of a framework's server in a process of its own, and who served them. @param {Project} project @param {string[]} args */
async function answersOf({ folder, env }, args) {
  const served = path.join(folder, 'served');
  rmSync(served, { force: true });
  const child = spawn(process.execPath, ['--import', './count.mjs', ...args], {
    cwd: folder,
    env: { ...env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  try {
    const origin = await listening(child.stdout);
    const answers = [];
    for (const [where, init] of REQUESTS) {
      const answer = await fetch(origin + where, init);
      const fields = Object.fromEntries(answer.headers);
      delete fields['date'];
      answers.push(JSON.stringify([where, answer.status, fields, await answer.text()]));
    }
    return { answers, by: readFileSync(served, 'utf8').trim().split('\n') };
  } finally {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await ended;
  }
}

/** @param {import('node:stream').Readable} output @returns {Promise<string>} the address that a server has printed */
async function listening(output) {
  for await (const line of createInterface({ input: output })) {
    const [origin] = /http:\/\/[\w.:[\]]+:\d+/.exec(line) ?? [];
    if (origin === undefined) continue;
    // Whatever it prints later does not fill the pipe.
    output.resume();
    return origin;
  }
  throw new Error('the server has ended before it listened');
}

/**
 * Frameworks on `nonstop/http/register`: their answers are those without it, and the engine serves each request.
 * @param {Tools} tools
 */
export function frameworkWays({ write, install, node }) {
  return Object.entries(FRAMEWORKS).map(([name, { packages, files, build, start }]) => ({
    title: `${name}: nonstop/http/register`,
    try: async (/** @type {Project} */ project) => {
      write(project, {}, { ...files, 'count.mjs': COUNT });
      await install(project, `file:${project.tarballs[5]}`, ...packages);
      if (build !== undefined) await node(project, build);
      const without = await answersOf(project, start);
      const on = await answersOf(project, [...PRELOAD, ...start]);
      const wrong = without.answers.flatMap((answer, i) =>
        answer === on.answers[i] ? [] : [`without ${answer}`, `with    ${on.answers[i]}`],
      );
      if (without.by.some((by) => by !== 'node:http') || on.by.some((by) => by !== 'engine'))
        wrong.push(`served by ${without.by.join()} without the preload, by ${on.by.join()} with it`);
      if (on.by.length < REQUESTS.length) wrong.push(`${REQUESTS.length} requests, the engine served ${on.by.length}`);
      return wrong.length === 0 ? right : wrong.join('\n');
    },
  }));
}
