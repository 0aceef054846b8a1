import fs = require('node:fs');
import http = require('node:http');
import https = require('node:https');
import net = require('node:net');
import path = require('node:path');
import { format } from 'node:util';
import { pathToFileURL } from 'node:url';
import { hearRequests, type Served } from '../../support/served.js';
import type { Exchange } from './read.js';

/** The message of the parent: the file of the program, and what the page shows. */
export interface Order {
  readonly file: string;
  readonly exchanges: readonly Exchange[];
  readonly prints: string | undefined;
}

/** The result of a sample: nothing, or the first difference from the page. */
export interface Outcome {
  readonly problem: string | undefined;
  readonly served: Served;
}

/** Maximum duration of a sample; it waits only for its own events. */
const PATIENCE = 15_000;

const servers = new Map<number, net.Server>();
const cookies = new Map<string, string>();
let printed = '';
let wake = (): void => {};
let served: Served = { engine: 0, 'node:http': 0 };
hearRequests((by) => served[by]++);

// Samples listen on port 3000 and the like. They get a free port instead, on this machine only.
const listen = net.Server.prototype.listen as (...args: unknown[]) => net.Server;
net.Server.prototype.listen = function (this: net.Server, ...args: unknown[]) {
  const [wanted] = args;
  const options = typeof wanted === 'object' && wanted !== null ? (wanted as { port?: unknown }) : undefined;
  const port = Number(options?.port ?? wanted ?? 0);
  if (Number.isNaN(port)) return listen.apply(this, args);
  servers.set(port, this);
  this.once('listening', () => wake());
  const callback = args.filter((argument) => typeof argument === 'function');
  return listen.call(this, { ...options, port: 0, host: '127.0.0.1' }, ...callback);
} as typeof net.Server.prototype.listen;

console.log = (...args: unknown[]) => {
  printed += `${format(...args)}\n`;
  wake();
};

const uncaught: unknown[] = [];
process.on('uncaughtException', (error) => {
  uncaught.push(error);
  wake();
});

async function main(): Promise<void> {
  const orders = JSON.parse(fs.readFileSync(process.argv[2] ?? '', 'utf8')) as Order[];
  const outcomes: Outcome[] = [];
  for (const order of orders) {
    served = { engine: 0, 'node:http': 0 };
    const problem = await play(order);
    outcomes.push({ problem, served });
    await closeAll();
  }
  fs.writeFileSync(process.argv[3] ?? '', JSON.stringify(outcomes));
  process.exit(0);
}

async function play({ file, exchanges, prints }: Order): Promise<string | undefined> {
  printed = '';
  uncaught.length = 0;
  cookies.clear();
  process.chdir(path.dirname(file));
  try {
    if (file.endsWith('.mjs')) await import(pathToFileURL(file).href);
    else require(file);
    if (exchanges.length > 0) await until(() => [...servers.values()].some(({ listening }) => listening));
    for (const exchange of exchanges) await check(exchange);
    if (prints !== undefined) {
      const same = await until(() => matches(printed.trimEnd(), prints)).catch(() => false);
      if (!same) return `it printed\n${printed}`;
    }
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  return uncaught.length > 0 ? `uncaught: ${format(uncaught[0])}` : undefined;
}

/** Waits until `done` returns true; checks after each event of a sample. @throws {Error} after a time limit */
async function until(done: () => boolean): Promise<true> {
  const end = Date.now() + PATIENCE;
  while (!done()) {
    if (uncaught.length > 0) throw uncaught[0];
    if (Date.now() > end) throw new Error('nothing more happens');
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 100);
      wake = () => {
        clearTimeout(timer);
        setImmediate(resolve);
      };
    });
  }
  return true;
}

/** Whether a text equals the text of the page; `…` stands for text that differs from run to run. */
function matches(text: string, shown: string): boolean {
  const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*?')}$`).test(text);
}

async function check(exchange: Exchange): Promise<void> {
  const { method, target, status, answerFields, answerBody } = exchange;
  const answer = await ask(exchange);
  const shown = `${method} ${target}`;
  const got = `${answer.status}\n${answer.fields.map((pair) => pair.join(': ')).join('\n')}\n\n${answer.body}`;
  const wrong = (what: string): Error =>
    Object.assign(new Error(), { stack: `${shown}: ${what}. The answer:\n${got}` });
  if (!matches(answer.status, status)) throw wrong(`the page shows ${status}`);
  for (const [name, value] of answerFields) {
    if (!answer.fields.some(([other, text]) => other === name && matches(text, value))) {
      throw wrong(`the page shows ${name}: ${value}`);
    }
  }
  if (answerBody !== undefined && !matches(answer.body.trim(), answerBody)) throw wrong(`the page shows ${answerBody}`);
}

interface Answer {
  readonly status: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly body: string;
}

/** Sends a request. If the page's body ends with `…`, the answer is read only up to there. */
function ask({ method, target, fields, body, answerBody }: Exchange): Promise<Answer> {
  const server = serverFor(fields);
  const { port } = server.address() as net.AddressInfo;
  const client = 'setSecureContext' in server ? https : http;
  const headers = Object.fromEntries(
    fields.map(([name, value]) => [name, name === 'Cookie' ? withCookies(value) : value]),
  );
  if (body !== '') headers['Content-Length'] = String(Buffer.byteLength(body));
  const options = { host: '127.0.0.1', port, method, path: target, headers, agent: false, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const request = client.request(options, (res) => {
      let text = '';
      const done = (): void => {
        const pairs = res.rawHeaders.flatMap((name, at, all) =>
          at % 2 === 0 ? [[name, all[at + 1] ?? ''] as const] : [],
        );
        keepCookies(res.headers['set-cookie'] ?? []);
        resolve({ status: `${res.statusCode} ${res.statusMessage}`, fields: pairs, body: text });
      };
      res.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (answerBody?.endsWith('…') && matches(text, answerBody)) done();
      });
      res.on('end', done).on('error', reject);
    });
    request.on('error', reject).end(body);
  });
}

/** The server that listens on the port of the request's Host, or else the first one. */
function serverFor(fields: Exchange['fields']): net.Server {
  const port = fields.find(([name]) => name === 'Host')?.[1].split(':')[1];
  const [first] = servers.values();
  const server = port === undefined ? first : (servers.get(Number(port)) ?? first);
  if (server === undefined) throw new Error('nothing listens');
  return server;
}

/** In a request, `Cookie: …` stands for the cookies that earlier answers have set. */
const withCookies = (value: string): string =>
  value === '…' ? [...cookies].map(([name, text]) => `${name}=${text}`).join('; ') : value;

function keepCookies(lines: readonly string[]): void {
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(name, value);
  }
}

async function closeAll(): Promise<void> {
  const open = [...servers.values()].filter(({ listening }) => listening);
  servers.clear();
  await Promise.all(
    open.map(
      (server) =>
        new Promise<void>((closed) => {
          server.close(() => closed());
          if (server instanceof http.Server || server instanceof https.Server) server.closeAllConnections();
        }),
    ),
  );
}

void main();
