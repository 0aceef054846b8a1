import type http = require('node:http');
import { constants } from 'node:os';
import { loadAll } from '../core/lazy.js';
import { cutAll, drain, timeOfDrain, type DrainReport } from './drain.js';
import { Exit, ProductionError } from './errors.js';
import { stopHardIn } from './hard-stop.js';
import { serveHealth } from './health.js';
import { hasSaid, lifecycle, messageOf, say } from './lifecycle.js';
import { addressOf, becomeReady, followListening, listenWith } from './listening.js';
import { runMain } from './load.js';
import { observe, ownHealth } from './observe.js';
import type { Settings } from './options.js';
import { EndingSignal, HANG_UP_ENDS, signals, takeSignals, type HandledSignal } from './signals.js';
import { traffic } from './traffic.js';

/** A program to run: a file and its arguments in `process.argv`. @internal */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/** For a process that is slow on a busy machine. In milliseconds. */
const TOLERANCE = 5000;

/** Serves a program in this process, until a signal ends it. Ends the process with one of the statuses of {@link Exit}. */
export async function runHere(program: Program, settings: Settings): Promise<void> {
  const health = await serveHealth(settings, ownHealth);
  endBySignals(settings);
  const started = tellOfEarlyEnd();
  const addresses = await start(program, settings, fail).catch(async (error: unknown) => {
    if (!isNotReady(error)) throw error;
    // Otherwise the drain that a signal has begun meanwhile ends the process.
    if (lifecycle.phase === 'starting') await endUnready(error as ProductionError, settings);
    return [];
  });
  started();
  if (lifecycle.phase === 'ready') tellReady('', addresses, health);
}

/** Ends a process that was not ready in time. It may listen all the same: requests under way are answered, and hooks run. */
async function endUnready({ message, exitStatus }: ProductionError, settings: Settings): Promise<never> {
  say(message);
  const { cut, failed } = await drain({ ...settings, drainDelay: 0 });
  if (cut.length + failed.length > 0) tellOf({ cut, failed });
  process.exit(exitStatus);
}

/** Whether an application was not ready in time. */
export const isNotReady = (error: unknown): boolean =>
  error instanceof ProductionError && error.code === 'ERR_NONSTOP_NOT_READY';

/** @param who the workers, or '' */
export function tellReady(who: string, addresses: readonly string[], health: http.Server | undefined): void {
  const where = [...new Set(addresses)].join(', ');
  const ofHealth = health === undefined ? '' : `, health on ${addressOf(health)}`;
  say(`${who}ready on ${where}${ofHealth} (pid ${process.pid})`);
}

/**
 * Writes a line when the program ends this process before it is ready: by `process.exit()`, or by an uncaught error.
 *
 * @returns a function to call when it is ready
 */
function tellOfEarlyEnd(): () => void {
  let why: string | undefined;
  const note = (error: unknown): void => {
    why = `the application failed: ${messageOf(error)}`;
  };
  const tell = (status: number): void => {
    // Other ends have printed their reason.
    if (!hasSaid()) say(why ?? `the application ended its process before it was ready (status ${status})`);
  };
  process.on('uncaughtExceptionMonitor', note).once('exit', tell);
  return () => process.off('uncaughtExceptionMonitor', note).off('exit', tell);
}

/**
 * Loads a program and waits until it is ready.
 *
 * @param failed called if its server cannot listen, or if it ends without a server
 * @returns its addresses
 * @throws ProductionError
 */
export async function start(
  { file, args }: Program,
  settings: Settings,
  failed: (error: ProductionError) => void,
): Promise<string[]> {
  process.env['PORT'] = String(settings.port);
  if (settings.host !== '') process.env['HOST'] = settings.host;
  observe(settings);
  followListening(settings, failed);
  let loaded = false;
  const ended = (): void => failed(loaded ? nothingServes(file) : loadsForEver());
  process.once('beforeExit', ended);
  const loading = load({ file, args }, settings).then(() => {
    loaded = true;
  });
  const addresses = await becomeReady(settings, loading);
  process.removeListener('beforeExit', ended);
  return addresses;
}

async function load({ file, args }: Program, settings: Settings): Promise<void> {
  const target = await runMain(file, args);
  loadAll();
  if (traffic.servers.size !== 0) return;
  if (target !== undefined) await listenWith(target, settings);
  // Without this a worker's program that has nothing left to do would not end.
  else process.channel?.unref();
}

function nothingServes(file: string): ProductionError {
  const text = `${file} neither listens nor exports an application, a server or a handler (req, res)`;
  return new ProductionError('ERR_NONSTOP_NO_SERVER', text);
}

/** For example, the file exports a promise that is never settled. */
function loadsForEver(): ProductionError {
  const text = 'the application was not ready: it is still loading, but the event loop has nothing left to do';
  return new ProductionError('ERR_NONSTOP_NOT_READY', text);
}

/** Prints the error in one line and ends the process. */
export function fail(error: unknown): never {
  if (!(error instanceof ProductionError)) {
    // An error of the application: its author needs the stack.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    say(`the application failed: ${messageOf(error)}`);
    process.exit(Exit.Application);
  }
  say(error.message);
  process.exit(error.exitStatus);
}

/** The time limits of a drain by signal: those of the first target of this process. */
let timesOfEnd: Settings | undefined;

/** SIGTERM and SIGINT drain; a second one ends at once. Further calls change nothing: a process drains once. */
function endBySignals(given: Settings): void {
  timesOfEnd ??= given;
  if (signals.taken) return;
  const begun = new EndingSignal();
  let ending = false;
  let drained = false;
  const end = (signal: HandledSignal): void => {
    // A listener of the application has sent the signal again when it was done. The status is that of the drain.
    if (drained) process.exit();
    if (ending) {
      if (begun.isEcho(signal)) return;
      say(`${signal} again: ending at once`);
      endAtOnce(128 + constants.signals[signal]);
    }
    ending = true;
    begun.begin(signal);
    say(`${signal}: draining`);
    const settings = timesOfEnd ?? given;
    // SIGINT is Ctrl-C: a person waits for the end.
    const delay = signal === 'SIGTERM' ? settings : { ...settings, drainDelay: 0 };
    const { hookTimeout } = delay;
    // `hookTimeout` is for the application's own listeners of the signal.
    const longest = (): number => timeOfDrain(delay) + hookTimeout + TOLERANCE;
    const stopHardLater = stopHardIn(longest());
    drain(delay).then((report) => leave(signal, report, hookTimeout), fail);
    // Listeners of the drain may have added hooks.
    stopHardLater(longest());
  };
  const leave = (signal: HandledSignal, report: DrainReport, hookTimeout: number): void => {
    tellOf(report);
    drained = true;
    process.exitCode = statusOf(report);
    const heard = passOn(signal);
    if (!heard) process.exit();
    setTimeout(() => process.exit(), hookTimeout).unref();
  };
  const passOn = takeSignals({
    SIGTERM: () => end('SIGTERM'),
    SIGINT: () => end('SIGINT'),
    SIGHUP: () => {
      if (HANG_UP_ENDS) end('SIGHUP');
      else if (!passOn('SIGHUP')) say('SIGHUP: nothing is replaced without --workers');
    },
  });
}

/** Cuts off what is under way, with a line for each, and ends the process. */
export function endAtOnce(status: number): never {
  for (const line of cutAll()) say(`cut: ${line}`);
  process.exit(status);
}

export function tellOf({ cut, failed }: DrainReport): void {
  for (const line of cut) say(`cut: ${line}`);
  for (const line of failed) say(line);
  if (cut.length + failed.length === 0) say('drained, nothing was cut');
}

export function statusOf({ cut, failed }: DrainReport): number {
  return cut.length + failed.length === 0 ? Exit.Done : Exit.Cut;
}

/** The servers of this process that {@link serve} started. */
export interface Service {
  /** The server of the application; its address is `server.address()`. */
  readonly server: http.Server;
  /** The server of `/livez`, `/readyz` and `/metrics`. */
  readonly health: http.Server | undefined;
  /** Stops the server without losing a request; the process does not exit. */
  drain(): Promise<DrainReport>;
}

/**
 * Serves a server, an application or a handler in this process, with the features of the options.
 *
 * @param ends whether SIGTERM and SIGINT drain and then end the process
 * @throws ProductionError
 */
export async function serveTarget(target: unknown, settings: Settings, ends: boolean): Promise<Service> {
  const health = await serveHealth(settings, ownHealth);
  let takeBack = (): void => undefined;
  let listening: Promise<http.Server> | undefined;
  try {
    takeBack = observe(settings);
    if (ends) endBySignals(settings);
    listening = listenWith(target, settings);
    await becomeReady(settings, listening);
    const server = await listening;
    return { server, health, drain: () => drain(settings) };
  } catch (error) {
    // Otherwise a second attempt of the program finds the port in use, and probes find a healthy process.
    health?.close();
    // A target that is not ready in time may listen all the same, or do so later: its limits stay.
    if (isNotReady(error)) listening?.catch(takeBack);
    else takeBack();
    if (timesOfEnd === settings) timesOfEnd = undefined;
    throw error;
  }
}
