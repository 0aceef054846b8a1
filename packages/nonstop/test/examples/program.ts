import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs = require('node:fs');
import path = require('node:path');
import { after } from 'node:test';
import { promisify } from 'node:util';
import { certificate } from '../support/certificate.js';
import { inRepo } from '../support/paths.js';

const run = promisify(execFile);

/** The programs write into their folders, so they run in copies. */
const copies = inRepo('.build', 'recipes', `programs-${process.pid}`);
after(() => fs.rmSync(copies, { recursive: true, force: true }));

/** @returns the folder of a copy of an example, with a certificate and compiled, so that it can start */
export async function copyOf(name: string): Promise<string> {
  const [from, to] = [inRepo('examples', name), path.join(copies, name)];
  if (fs.existsSync(to)) return to;
  const left = new Set(['node_modules', 'data', 'dist']);
  fs.cpSync(from, to, { recursive: true, filter: (file) => !left.has(path.basename(file)) });
  const { key, cert } = certificate();
  fs.writeFileSync(path.join(to, 'key.pem'), key);
  fs.writeFileSync(path.join(to, 'cert.pem'), cert);
  if (fs.existsSync(path.join(to, 'tsconfig.json'))) {
    const compiler = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
    await run(process.execPath, [compiler, '-p', to]);
  }
  return to;
}

/** The main program of an example, in a process of its own, on 127.0.0.1. */
export class Program {
  readonly child: ChildProcess;
  /** What it has written to stdout and stderr. */
  said = '';
  /** Its exit status, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;

  constructor(folder: string, file: string, env: NodeJS.ProcessEnv = {}) {
    const { NODE_TEST_CONTEXT: _context, ...rest } = process.env;
    this.child = spawn(process.execPath, ['--require', path.join(__dirname, 'local-child.js'), file], {
      cwd: folder,
      env: { ...rest, PORT: '0', HTTPS_PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (part) => (this.said += String(part)));
    this.ended = once(this.child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
    after(() => this.child.kill('SIGKILL'));
  }

  /** @returns the address that it prints, with 127.0.0.1. @throws with all that it has said if it ends before */
  async address(): Promise<string> {
    let over = false;
    const ended = this.ended.then(() => (over = true));
    for (;;) {
      const [found] = /https?:\/\/localhost:\d+\S*/.exec(this.said) ?? [];
      if (found !== undefined) return found.replace('localhost', '127.0.0.1');
      if (over) throw new Error(`it ended without an address:\n${this.said}`);
      await Promise.race([once(this.child.stdout!, 'data'), once(this.child.stderr!, 'data'), ended]);
    }
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> {
    this.child.kill(signal);
    return this.ended;
  }
}
