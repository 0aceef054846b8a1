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
/** @typedef {import('./agents.mjs').Received} Received */
/** @typedef {{ way: string, system: 'cjs' | 'esm', node: string }} How `way`: one of `ways`; `node`: path of its binary */
/** @typedef {{ served: Record<string, number>, answers: string[], said: string }} Played */

/** @typedef {Played & { spans: string[], received: Received[] }} Outcome */

/**
 * Runs the program with an agent, sends all requests, and returns what the agent has reported. An agent that gives up
 * sending on a busy machine gets two more attempts.
 * @param {Agent} agent
 * @param {How} how
 * @returns {Promise<Outcome>}
 */
export async function watch(agent, how) {
  let outcome = await watchOnce(agent, how);
  for (let more = 2; outcome.spans.length === 0 && more > 0; more--) outcome = await watchOnce(agent, how);
  return outcome;
}

/** @param {Agent} agent @param {How} how @returns {Promise<Outcome>} */
async function watchOnce(agent, how) {
  const collector = await openCollector(agent);
  try {
    const played = await play(agent, how, collector.url);
    const { received } = collector;
    return { ...played, received, spans: agent.spans(received, createRequire(`${home}/`)).sort() };
  } finally {
    collector.close();
  }
}

/**
 * The same with a collector that refuses connections: nothing is reported.
 * @param {Agent} agent
 * @param {How} how
 * @returns {Promise<Played>}
 */
export async function withoutCollector(agent, how) {
  const collector = await openCollector(agent);
  collector.close();
  return play(agent, how, collector.url, { NO_COLLECTOR: '1' });
}

/** @param {Agent} agent @param {How} how @param {URL} collector @param {Record<string, string>} [more] @returns {Promise<Played>} */
async function play(agent, { way, system, node }, collector, more) {
  const cwd = path.join(home, way);
  for (const [name, text] of Object.entries(agent.files)) writeFileSync(path.join(cwd, name), text);
  const child = fork(path.join(cwd, `app.${system === 'cjs' ? 'cjs' : 'mjs'}`), {
    cwd,
    execPath: node,
    execArgv: [...ways[way], ...agent.flags[system]],
    env: { ...process.env, NODE_OPTIONS: '', NO_DEPRECATION: '*', ...agent.variables(collector), ...more },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text));
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  try {
    const { port } = await heard(child, () => said);
    const answers = [];
    for (const line of requests) answers.push(await ask(port, line, agent.headers));
    child.send('end');
    const { served } = await heard(child, () => said);
    if (child.exitCode === null) await once(child, 'exit');
    return { served, answers, said };
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

/** @param {number} port @param {string} line @param {Record<string, string>} [more] fields @returns {Promise<string>} the answer, as a line */
async function ask(port, line, more) {
  const [method, target] = line.split(' ');
  const body = method === 'POST' ? '{"a":1}' : undefined;
  const headers = { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...more };
  const request = http.request({ host: '127.0.0.1', port, method, path: target, headers, agent: connection });
  request.end(body);
  const [answer] = await once(request, 'response');
  let text = '';
  answer.setEncoding('utf8').on('data', (/** @type {string} */ part) => (text += part));
  await once(answer, 'end');
  return `${line}: ${answer.statusCode} ${text}`;
}
