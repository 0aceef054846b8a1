import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { openCollector } from './collector.mjs';
import { requests } from './program.mjs';
import { home, ways } from './projects.mjs';

/** @typedef {import('./agents.mjs').Agent} Agent */
/** @typedef {{ spans: string[], served: Record<string, number>, said: string }} Outcome */

/**
 * Runs the program with an agent, sends all requests, and returns what the agent has reported.
 * @param {Agent} agent
 * @param {string} way one of `ways`
 * @param {'cjs' | 'esm'} system
 * @returns {Promise<Outcome>}
 */
export async function watch(agent, way, system) {
  const collector = await openCollector(agent);
  try {
    const { served, said } = await play(agent, { way, system, collector: collector.url });
    return { spans: agent.spans(collector.received, createRequire(`${home}/`)).sort(), served, said };
  } finally {
    collector.close();
  }
}

/** @param {Agent} agent @param {{ way: string, system: 'cjs' | 'esm', collector: URL }} how */
async function play(agent, { way, system, collector }) {
  const cwd = path.join(home, way);
  for (const [name, text] of Object.entries(agent.files)) writeFileSync(path.join(cwd, name), text);
  const child = fork(path.join(cwd, `app.${system === 'cjs' ? 'cjs' : 'mjs'}`), {
    cwd,
    execArgv: [...ways[way], ...agent.flags[system]],
    env: { ...process.env, NODE_OPTIONS: '', NO_DEPRECATION: '*', ...agent.variables(collector) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  try {
    const { port } = await heard(child, () => said);
    for (const line of requests) await ask(port, line);
    child.send('end');
    const { served } = await heard(child, () => said);
    if (child.exitCode === null) await once(child, 'exit');
    return { served, said };
  } finally {
    clearTimeout(timer);
    if (child.exitCode === null) child.kill('SIGKILL');
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {() => string} said @returns {Promise<any>} its next message */
const heard = (child, said) =>
  new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the program ended with ${code}\n${said()}`)));
  });

const connection = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** @param {number} port @param {string} line */
async function ask(port, line) {
  const [method, target] = line.split(' ');
  const body = method === 'POST' ? '{"a":1}' : undefined;
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const request = http.request({ host: '127.0.0.1', port, method, path: target, headers, agent: connection });
  request.end(body);
  const [answer] = await once(request, 'response');
  answer.resume();
  await once(answer, 'end');
}
