import { execFileSync } from 'node:child_process';
import fs = require('node:fs');

/** The running child processes of a process. */
export function childrenOf(pid: number): number[] {
  const text = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** @returns CPU time of all threads of a process in microseconds; Linux counts in hundredths of a second */
export function processTime(pid: number): number {
  const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program may contain spaces and ends with the last bracket; user and system time are the 14th and 15th
  // fields.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / ticksPerSecond();
}

let ticks: number | undefined;

const ticksPerSecond = (): number =>
  (ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100);
