import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from '../../../scripts/lib/run.mjs';
import { right } from './projects.mjs';

/** Runtimes with an HTTP server of their own: the arguments in front of a program, and npm's package with the binary for each system. */
export const runtimes = /** @type {const} */ ({
  Bun: {
    args: [],
    packages: { 'linux-x64': '@oven/bun-linux-x64', 'linux-arm64': '@oven/bun-linux-aarch64' },
    range: '1',
    file: 'bin/bun',
  },
  Deno: {
    args: ['run', '-A'],
    packages: { 'linux-x64': '@deno/linux-x64-glibc', 'linux-arm64': '@deno/linux-arm64-glibc' },
    range: '2',
    file: 'deno',
  },
});

/**
 * The binary of a runtime, in a folder of its own; npm brings it if it is not there.
 * @param {keyof typeof runtimes} name
 * @param {string} folder
 * @returns {Promise<string>} its path
 * @throws {Error} in one line, if it cannot be had
 */
export async function runtimeBinary(name, folder) {
  const { packages, range, file } = runtimes[name];
  const packageName = /** @type {Record<string, string>} */ (packages)[`${process.platform}-${process.arch}`];
  if (packageName === undefined) throw new Error(`no package of ${name} for ${process.platform} ${process.arch}`);
  const binary = path.join(folder, 'node_modules', packageName, file);
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const quick = [
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--no-package-lock',
    '--prefer-offline',
    '--fetch-retries=1',
  ];
  try {
    await npm(['install', ...quick, `${packageName}@${range}`], { cwd: folder, seconds: 90 });
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    throw new Error(`npm does not bring ${packageName}: ${reason}`, { cause: error });
  }
  return binary;
}

/** The answers on Express and on Nonstop, for runtimes whose own server serves. */
export const onBoth = `
  const { explainAcceleration } = require('nonstop/http');
  async function answersOf(express) {
    const app = express();
    app.set('env', 'test').use(express.json());
    app.get('/hello/:name', (req, res) => res.send('Hello ' + req.params.name));
    app.post('/echo', (req, res) => res.status(201).json(req.body));
    app.get('/file', (req, res) => res.sendFile('app.cjs', { root: __dirname }));
    app.get('/stream', (req, res) => { res.write('a'); setTimeout(() => res.end('b'), 5); });
    app.get('/away', (req, res) => res.redirect('/hello/x'));
    app.get('/fails', () => { throw Object.assign(new Error('no'), { status: 418, stack: 'no' }); });
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const answers = [];
    for (const [method, path, body] of [['GET', '/hello/x?y=1'], ['POST', '/echo', '{"a":1}'], ['POST', '/echo'], ['GET', '/file'], ['GET', '/stream'],
      ['GET', '/away'], ['GET', '/fails'], ['GET', '/none'], ['HEAD', '/hello/x'], ['OPTIONS', '/echo']]) {
      const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const answer = await fetch('http://127.0.0.1:' + server.address().port + path, { method, body, headers, redirect: 'manual' });
      answers.push([path, answer.status, [...answer.headers].filter(([name]) => name !== 'date').sort().join(), await answer.text()].join(' '));
    }
    const { reason } = explainAcceleration(server);
    server.close();
    return { answers, reason };
  }
  (async () => {
    const [theirs, ours] = [await answersOf(require('express')), await answersOf(require('nonstop'))];
    const differs = ours.answers.filter((answer, index) => answer !== theirs.answers[index]);
    console.log(differs.length === 0 && ours.reason === 'other-runtime' ? ${JSON.stringify(right)} : JSON.stringify([differs, theirs.answers, ours.reason]));
    process.exit();
  })();`;
