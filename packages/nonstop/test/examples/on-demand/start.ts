import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http = require('node:http');
import path = require('node:path');
import type { Served } from '../../support/served.js';

/** A running example, in a process of its own. */
export interface Running {
  readonly address: string;
  /** The path of the address that it prints. */
  readonly path: string;
  ask(asked: Asked): Promise<Answer>;
  /** Numbers of requests that the engine and node:http have served. */
  served(): Promise<Served>;
  stop(): Promise<void>;
}

export interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number | undefined;
  /** Names and values as received, without Date. */
  readonly fields: readonly string[];
  readonly body: string;
}

/** Starts a program that prints `http://localhost:<port>` once it listens. */
export async function start(folder: string, program: string, env: NodeJS.ProcessEnv = {}): Promise<Running> {
  const child = spawn(process.execPath, ['--require', path.join(__dirname, 'count-child.js'), program], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_ENV: undefined,
      NONSTOP_ENGINE: undefined,
      PORT: '0',
      NEXT_TELEMETRY_DISABLED: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  const printed = await new Promise<URL>((listening, failed) => {
    const hear = (part: Buffer): void => {
      said += String(part);
      const found = /http:\/\/localhost:\d+\S*(?=\s)/.exec(said);
      if (found !== null) listening(new URL(found[0]));
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('close', (code) => failed(new Error(`${program} ended with ${code}:\n${said}`)));
  });
  // `localhost` may resolve to ::1 first; the servers listen on both addresses.
  const address = printed.origin;
  return {
    address,
    path: printed.pathname,
    ask: (asked) => ask(address, asked),
    async served() {
      const told = once(child, 'message');
      child.send('served');
      return ((await told) as [{ served: Served }])[0].served;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function ask(address: string, { method = 'GET', path, fields = {}, body }: Asked): Promise<Answer> {
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const headers = body === undefined ? fields : { 'Content-Type': 'application/json', ...fields };
    http
      .request(address + path, { method, headers, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  const all = answer.rawHeaders.flatMap((name, index, raw) =>
    index % 2 === 0 && name !== 'Date' ? [`${name}: ${raw[index + 1]}`] : [],
  );
  return { status: answer.statusCode, fields: all, body: Buffer.concat(parts).toString('latin1') };
}
