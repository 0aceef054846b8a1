import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http2 = require('node:http2');
import type { AddressInfo } from 'node:net';
import os = require('node:os');
import path = require('node:path');
import { isOurs } from '../support/http2-server.js';
import { nonstopHttp2 } from '../support/subject.js';
import type { Suite, Verdict } from './verdict.js';

const MOST_RUNS = 3;

type Make = (listener: Parameters<typeof http2.createServer>[1]) => http2.Http2Server;

interface Case {
  readonly name: string;
  readonly outcome: 'pass' | 'fail' | 'skip';
  readonly reason: string;
}

/**
 * Runs h2spec against a server of `node:http2` and against one of `nonstop/http2`. h2spec sends valid and invalid frames.
 *
 * @param program path of the h2spec executable
 */
export async function h2spec(program: string): Promise<Suite> {
  const original = await casesOf(program, (listener) => http2.createServer(listener));
  let requests = 0;
  let others = 0;
  const make: Make = (listener) => {
    const server = nonstopHttp2().createServer(listener as never);
    return server.on('request', (req) => (isOurs(req) ? requests++ : others++));
  };
  let verdicts = original.map((each) => verdict(each, undefined));
  let runs = 0;
  // A frame that ends a session races with the end of its connection: on both servers a few runs see only the end.
  for (; runs < MOST_RUNS && verdicts.some(({ ours }) => ours === 'fail'); runs++) {
    const ours = await casesOf(program, make);
    verdicts = original.map((each, i) => (verdicts[i].ours === 'pass' ? verdicts[i] : verdict(each, ours[i])));
  }
  const served = requests > 0 && others === 0;
  verdicts.push({ name: 'every stream is answered by Nonstop', original: 'pass', ours: served ? 'pass' : 'fail' });
  return {
    verdicts,
    notes: [
      `${runs} run${runs === 1 ? '' : 's'}; ${requests} requests were answered by Nonstop, ${others} by node:http2`,
    ],
  };
}

function verdict({ name, outcome }: Case, ours: Case | undefined): Verdict {
  if (outcome !== 'pass') return { name, original: outcome };
  const same = ours?.name === name && ours.outcome === 'pass';
  return same
    ? { name, original: 'pass', ours: 'pass' }
    : { name, original: 'pass', ours: 'fail', reason: ours?.reason ?? '' };
}

async function casesOf(program: string, make: Make): Promise<Case[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'h2spec-'));
  const server = make((_req, res) => {
    res.setHeader('Content-Type', 'text/plain');
    res.end('A body of some octets, for its windows.');
  });
  // An invalid frame of the client is not an error of the server.
  server.on('sessionError', () => undefined);
  const sessions: http2.ServerHttp2Session[] = [];
  server.on('session', (session) => sessions.push(session));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const report = path.join(folder, 'report.xml');
    const { port } = server.address() as AddressInfo;
    const child = spawn(program, ['-h', '127.0.0.1', '-p', String(port), '-o', '1', '-j', report], { stdio: 'ignore' });
    await once(child, 'close');
    return read(await readFile(report, 'utf8'));
  } finally {
    for (const session of sessions) session.destroy();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const CASE = /<testcase package="([^"]*)" classname="([^"]*)"[^>]*?(?:\/>|>(.*?)<\/testcase>)/gs;

/** @returns the cases of a JUnit report, in their order */
function read(report: string): Case[] {
  const cases = Array.from(report.matchAll(CASE), ([, group, title, inside = '']): Case => {
    const outcome = inside.includes('<skipped') ? 'skip' : /<(?:failure|error)/.test(inside) ? 'fail' : 'pass';
    return {
      name: `${group} ${title}`,
      outcome,
      reason: inside
        .replace(/<[^>]*>|\s+/g, ' ')
        .trim()
        .slice(0, 160),
    };
  });
  if (cases.length === 0) throw new Error('h2spec gave no report');
  return cases;
}
