import { spawn } from 'node:child_process';

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

export interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Runs this node with arguments. @returns the exit code (null after a timeout) and both outputs */
export function runNode({ args, cwd, env = {}, timeoutMs }: Command): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.stderr.on('data', (part: Buffer) => parts.push(part));
    const timer = setTimeout(() => {
      parts.push(Buffer.from(`\nError: stopped after ${timeoutMs} ms`));
      child.kill('SIGKILL');
    }, timeoutMs);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, output: Buffer.concat(parts).toString() });
    });
  });
}

/** Runs `work` on the items, at most `lanes` at a time. @returns the results in the order of the items */
export async function inLanes<T, R>(items: readonly T[], lanes: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
