import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { repoRoot } from './paths.js';

export interface Program {
  readonly text: string;
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a CommonJS program in its own process, in the repository. @returns its output */
export async function runProgram({ text, flags = [], args = [], env = {} }: Program): Promise<{
  stdout: string;
  stderr: string;
}> {
  const own = { ...process.env, NONSTOP_ENGINE: '', DEBUG: '', ...env };
  return promisify(execFile)(process.execPath, [...flags, '-e', text, ...args], { cwd: repoRoot, env: own });
}

/**
 * The start of a program that sends requests to servers: `ask(server, options, body)` returns `{ status, body }`, `raw(server, text)`
 * the octets received until the connection closed. `served` counts the connections of a server by their parser.
 */
export const asking = `
const net = require('node:net');
async function listening(server) {
  if (!server.listening) await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return server.address().port;
}
const clients = { http: require('node:http'), https: undefined };
async function ask(server, options = {}, body = undefined) {
  const port = await listening(server);
  const secure = 'setSecureContext' in server;
  const client = secure ? (clients.https ??= require('node:https')) : clients.http;
  return new Promise((done, failed) => {
    const request = client.request(
      { host: '127.0.0.1', port, agent: false, rejectUnauthorized: false, ...options },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () =>
          done({ status: answer.statusCode, body: text }));
      },
    );
    request.on('error', failed).end(body);
  });
}
async function raw(server, text) {
  const port = await listening(server);
  return new Promise((done, failed) => {
    let received = '';
    net.connect(port, '127.0.0.1', function () { this.write(text); })
      .on('data', (part) => (received += part)).on('error', failed).on('close', () => done(received));
  });
}
function count(server, served = { engine: 0, node: 0 }) {
  // node's parser stays on the socket from the first octet to the last.
  server.on('request', ({ socket }) => served[socket.parser ? 'node' : 'engine']++);
  return served;
}
`;
