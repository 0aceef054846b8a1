import { spawnSync } from 'node:child_process';
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import { labRoot } from '../paths.js';
import type { PeerSource } from '../scenario.js';
import { bringsBun, findBun } from '../study/bun.js';

/** Servers that are not Node's, for comparison, and a line for each that is not there. */
export interface Outside {
  readonly servers: Readonly<Record<string, PeerSource>>;
  readonly missing: readonly string[];
}

/**
 * A constant by epoll in C, and Bun.serve: the first where there is Linux and a C compiler, the second where Bun is installed.
 *
 * @param folder where the C program is compiled to
 */
export function outsideOf(folder: string): Outside {
  const servers: Record<string, PeerSource> = {};
  const missing: string[] = [];
  const program = path.join(folder, 'epoll-constant');
  const problem = compile(path.join(labRoot, 'peers', 'epoll-constant.c'), program);
  if (problem === undefined) servers['a constant in C'] = { file: 'epoll-constant.c', program, withoutAgent: true };
  else missing.push(`Without a constant in C: ${problem}.`);
  const bun = findBun();
  if (bun !== undefined) servers['Bun.serve'] = { file: 'bun-serve.js', program: bun.path };
  else missing.push(`Without Bun.serve: ${bringsBun}.`);
  return { servers, missing };
}

function compile(source: string, program: string): string | undefined {
  if (process.platform !== 'linux') return 'it needs Linux';
  const { status, error, stderr } = spawnSync('cc', ['-O2', '-o', program, source], { encoding: 'utf8' });
  if (error !== undefined) return 'cc is not installed';
  return status === 0 ? undefined : `cc says ${stderr.trim().split('\n')[0]}`;
}

/** A folder of this run alone, which {@link work} may fill. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-frontier-'));
  try {
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
