import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { inRoot } from './paths.mjs';

/** Number of ports to try. */
const attempts = 20;

const lastPort = 65_535;

/** Serves the example application on Nonstop until Ctrl-C; the application prints its own address. */
export async function serveExample() {
  const wanted = wantedPort();
  const port = await freePort(wanted);
  if (port !== wanted) console.log(`\nPort ${wanted} is taken; using ${port}. PORT=… chooses another.`);
  console.log('\nThe example application (examples/tracker), unchanged, on Nonstop. Ctrl-C ends it.');
  const child = spawn(process.execPath, ['--import', 'nonstop/register', 'server.js'], {
    cwd: inRoot('examples/tracker'),
    env: { ...process.env, PORT: String(port) },
    stdio: 'inherit',
  });
  // Ctrl-C goes to the whole group: the application shuts down by itself, and this process waits for it.
  const wait = () => undefined;
  process.on('SIGINT', wait);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  process.off('SIGINT', wait);
  process.exitCode ||= code ?? 0;
}

/** @throws {Error} in one line, if PORT is invalid */
export function wantedPort() {
  const { PORT = '3000' } = process.env;
  const port = Number(PORT);
  if (Number.isInteger(port) && port > 0 && port <= lastPort) return port;
  throw new Error(`PORT needs a number from 1 to ${lastPort}, got '${PORT}'`);
}

/** @param {number} wanted @returns {Promise<number>} the first free port from there on */
async function freePort(wanted) {
  const last = Math.min(wanted + attempts - 1, lastPort);
  for (let port = wanted; port <= last; port++) if (await isFree(port)) return port;
  throw new Error(`Ports ${wanted} to ${last} are all taken`);
}

/** @param {number} port @returns {Promise<boolean>} */
const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
