import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { inRoot } from './paths.mjs';

/** Ports that are tried, one after the other, before it gives up. */
const attempts = 20;

/** Serves the example application on Nonstop until Ctrl-C; the application prints its own address. */
export async function serveExample() {
  const wanted = Number(process.env['PORT'] ?? 3000);
  const port = await freePort(wanted);
  if (port !== wanted) console.log(`\nPort ${wanted} is taken; using ${port}. PORT=… chooses another.`);
  console.log('\nThe example application (examples/tracker), unchanged, on Nonstop. Ctrl-C ends it.');
  const child = spawn(process.execPath, ['--import', 'nonstop/register', 'server.js'], {
    cwd: inRoot('examples/tracker'),
    env: { ...process.env, PORT: String(port) },
    stdio: 'inherit',
  });
  // Ctrl-C goes to the whole group: the application shuts down by itself, this process only waits for it.
  const wait = () => undefined;
  process.on('SIGINT', wait);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  process.off('SIGINT', wait);
  process.exitCode ||= code ?? 0;
}

/** @param {number} wanted @returns {Promise<number>} the first free port from there on */
async function freePort(wanted) {
  for (let port = wanted; port < wanted + attempts; port++) if (await isFree(port)) return port;
  throw new Error(`Ports ${wanted} to ${wanted + attempts - 1} are all taken`);
}

/** @param {number} port @returns {Promise<boolean>} */
const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
