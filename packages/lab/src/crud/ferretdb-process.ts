/**
 * Runs FerretDB over a folder of its own, and ends it and removes the folder when the lab says so or is gone: a database
 * knows nothing of the lab's end, a child with a channel to it does.
 *
 * Arguments: path of the program, core to hold it on (may be empty). Sends `{ port, folder }` once it listens.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import { pinned } from '../cores.js';

async function main(): Promise<void> {
  const [program, cores] = process.argv.slice(2);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-ferretdb-'));
  const args = [
    '--handler=sqlite',
    // As a database is run that loses nothing in a crash of its process.
    `--sqlite-url=file:${folder}/?_pragma=synchronous(normal)`,
    '--listen-addr=127.0.0.1:0',
    '--debug-addr=-',
    '--telemetry=disable',
    `--state-dir=${folder}`,
    // A few lines at the start and for each connection: that is where it says its port.
    '--log-level=INFO',
  ];
  const child = spawn(...pinned(cores || undefined, program, args), { stdio: ['ignore', 'ignore', 'pipe'] });
  process.once('disconnect', () => child.kill('SIGKILL'));
  process.once('SIGTERM', () => child.kill('SIGTERM'));
  // Ctrl-C is the lab's to answer.
  process.on('SIGINT', () => undefined);
  let told = false;
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-2000);
    const port = told ? undefined : /Listening on TCP 127\.0\.0\.1:(\d+)/.exec(log)?.[1];
    if (port === undefined) return;
    told = true;
    process.send?.({ port: Number(port), folder });
  });
  const [code, signal] = await once(child, 'close').catch((error: Error) => [error.message, null]);
  fs.rmSync(folder, { recursive: true, force: true });
  const wanted = signal === 'SIGTERM' || code === 0;
  if (!wanted) console.error(`${log.trim()}\nFerretDB ended (${signal ?? code})`);
  process.exit(wanted ? 0 : 1);
}

void main();
