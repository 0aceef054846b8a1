/**
 * Runs FerretDB in its own folder. Ends it and removes the folder when the lab asks or has ended. A database does not
 * notice the end of the lab; a child process with a channel does.
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
    // The settings of a database that loses nothing if its process crashes.
    `--sqlite-url=file:${folder}/?_pragma=synchronous(normal)`,
    '--listen-addr=127.0.0.1:0',
    '--debug-addr=-',
    '--telemetry=disable',
    `--state-dir=${folder}`,
    // It logs a few lines at start and for each connection; its port is in them.
    '--log-level=INFO',
  ];
  const child = spawn(...pinned(cores || undefined, program, args), { stdio: ['ignore', 'ignore', 'pipe'] });
  process.once('disconnect', () => child.kill('SIGKILL'));
  process.once('SIGTERM', () => child.kill('SIGTERM'));
  // Only the lab handles Ctrl-C.
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
