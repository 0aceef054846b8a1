import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot, root } from './paths.mjs';

/**
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, output: string, stdout: string }} Outcome
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, seconds?: number, echo?: boolean }} RunOptions
 */

/** Leaders of the running process groups. They are outside the terminal's group, so Ctrl-C does not reach them. */
const running = new Set();

function endAll() {
  for (const pid of running) killGroup(pid);
  process.exit(130);
}

/**
 * Ends a child started by `start` and its own children, by process group, so that servers of a hung test end too.
 * @param {number} pid
 */
export function killGroup(pid) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

/**
 * Starts a child as the leader of its own process group, without stdin.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 */
export function start(command, args, { cwd = root, env = process.env } = {}) {
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const { pid } = child;
  if (pid !== undefined) {
    if (running.size === 0) for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, endAll);
    running.add(pid);
    child.once('exit', () => {
      running.delete(pid);
      if (running.size === 0) for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, endAll);
      // A grandchild that outlives the child would hold the pipes open, and 'close' would never come.
      killGroup(pid);
    });
  }
  return child;
}

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options] `seconds`: time limit (600); `echo`: the output is shown at once
 * @returns {Promise<Outcome>} `output` is stdout and stderr in their order; `code` is null after a signal
 */
export function run(command, args, { cwd, env, seconds = 600, echo = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = start(command, args, { cwd, env });
    let output = '';
    let stdout = '';
    const timer = setTimeout(() => {
      output += `\n(killed after ${seconds} s)\n`;
      if (child.pid !== undefined) killGroup(child.pid);
    }, seconds * 1000);
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      stdout += text;
      if (echo) process.stdout.write(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
      if (echo) process.stderr.write(text);
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, output, stdout });
    });
  });
}

/**
 * Like `run`, for a command that must succeed.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @throws {Error} with the command's output as the message, if the exit code is not 0
 */
export async function mustRun(command, args, options) {
  const outcome = await run(command, args, options);
  if (outcome.code !== 0) throw new Error(outcome.output.trim() || `${command} ended with ${outcome.code}`);
  return outcome;
}

/**
 * Runs the program of an installed development dependency with the running Node, without a shell and without npx.
 * @param {string} packageName
 * @param {string[]} args
 * @param {RunOptions & { bin?: string }} [options]
 */
export function mustRunTool(packageName, args, { bin, ...options } = {}) {
  const folder = inRoot('node_modules', packageName);
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const program = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin ?? packageName];
  // The output is shown in a report, without colours; some tools treat CI as a terminal.
  const env = { ...process.env, NO_COLOR: '1' };
  return mustRun(process.execPath, [path.join(folder, program), ...args], { env, ...options });
}

/**
 * Runs npm: the npm that started this script, if any, because `npm` on the path may be another one or missing.
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export function npm(args, options) {
  // On Windows `npm` is a script, which node does not start without a shell; its program is beside node.
  const besideNode = path.join(path.dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const programs = [process.env['npm_execpath'], process.platform === 'win32' ? besideNode : undefined];
  const program = programs.find((each) => each?.endsWith('.js'));
  return program === undefined ? mustRun('npm', args, options) : mustRun(process.execPath, [program, ...args], options);
}
