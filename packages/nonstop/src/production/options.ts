import { availableParallelism } from 'node:os';
import { LONGEST_TIME } from '../core/clock.js';
import { onFirstUse } from '../core/lazy.js';
import { ProductionError } from './errors.js';

/** Milliseconds, or a text such as `500ms`, `20s`, `2m`. */
export type Time = number | string;

/** Options for running an application. */
export interface ProductionOptions {
  /** Default: the environment variable PORT, or 3000. 0 lets the system choose. */
  port?: number;
  /** Default: the environment variable HOST, or all addresses. */
  host?: string;
  /** Number of worker processes, which this process supervises; `auto`: one per core. Default 0: this process serves. */
  workers?: number | 'auto';
  /** Time limit for requests under way after listening has stopped. Default 20,000. */
  grace?: Time;
  /** How long readiness is false before listening stops. Default: 5,000 with a health port, otherwise 0. */
  drainDelay?: Time;
  /** How long event streams and WebSockets may continue after listening has stopped. Default 5,000. */
  streamLimit?: Time;
  /** Time limit of each hook of the application. Default 5,000. */
  hookTimeout?: Time;
  /** Time limit for the application to become ready. Default 30,000. */
  readyTimeout?: Time;
  /** How long the event loop of a worker may be blocked before the worker is replaced. 0: no limit. Default 60,000. */
  hangTimeout?: Time;
  /** `server.keepAliveTimeout` of the application's servers. Default: what the application or node says. */
  keepAlive?: Time;
  /** The port of `/livez`, `/readyz` and `/metrics`. Default: none. */
  healthPort?: number;
  /** The address of the health port. Default: `host`. */
  healthHost?: string;
  /** Serves `/metrics` on the health port, with the package prom-client. Default false. */
  metrics?: boolean;
  /** Writes a line for each request, with the package pino. Default false. */
  accessLog?: boolean;
  /** Turns the overload limits on: `maxRequests` 1,000 and `maxDelay` 200, unless they are given. Default false. */
  overload?: boolean;
  /** Requests under way in one process, above which new ones get 503. Default 0: no limit. */
  maxRequests?: number;
  /** Delay of the event loop above which new requests get 503. Default 0: no limit. */
  maxDelay?: Time;
  /** Requests under way of one client address in one process, above which new ones get 429. Default 0: no limit. */
  maxPerAddress?: number;
  /** Source of a client's address: its socket, or the last entry of X-Forwarded-For. Default `socket`. */
  clientAddress?: 'socket' | 'forwarded';
  /** Retry-After of refused requests, in seconds. Default 1. */
  retryAfter?: number;
}

/** All options, with their defaults; times are milliseconds. @internal */
export type Settings = {
  readonly [Name in keyof ProductionOptions]-?: [Time] extends [NonNullable<ProductionOptions[Name]>]
    ? number
    : NonNullable<ProductionOptions[Name]>;
};

/** @internal */
type Kind = 'port' | 'text' | 'workers' | 'time' | 'count' | 'flag' | 'address';

/** One line of the table of options: for the command, its help and the documentation. @internal */
export interface OptionRow {
  readonly name: keyof ProductionOptions;
  readonly flag: string;
  readonly kind: Kind;
  readonly help: string;
}

export const OPTIONS: readonly OptionRow[] = [
  row('port', 'port', 'port to listen on (PORT, or 3000)'),
  row('host', 'text', 'address to listen on (HOST, or all)'),
  row('workers', 'workers', 'worker processes: a number, or auto for one per core (0: serve in this process)'),
  row('grace', 'time', 'time limit for requests under way after listening has stopped (20s)'),
  row('drainDelay', 'time', 'how long readiness is false before listening stops (5s with --health-port, or 0)'),
  row('streamLimit', 'time', 'how long event streams and WebSockets may continue after listening has stopped (5s)'),
  row('hookTimeout', 'time', 'how long each shutdown hook may take (5s)'),
  row('readyTimeout', 'time', 'how long the application may take to become ready (30s)'),
  row('hangTimeout', 'time', 'a worker is replaced when its event loop is blocked for this long (60s; 0: never)'),
  row('keepAlive', 'time', 'keepAliveTimeout of the servers (what the application says)'),
  row('healthPort', 'port', 'port of /livez, /readyz and /metrics (none)'),
  row('healthHost', 'text', 'address of the health port (as --host)'),
  row('metrics', 'flag', 'serve /metrics; needs the package prom-client'),
  row('accessLog', 'flag', 'write a line for each request; needs the package pino'),
  row('overload', 'flag', 'refuse requests above --max-requests 1000 and --max-delay 200ms'),
  row('maxRequests', 'count', 'requests under way in a process, above which new ones get 503 (no limit)'),
  row('maxDelay', 'time', 'delay of the event loop, above which new requests get 503 (no limit)'),
  row('maxPerAddress', 'count', 'requests under way of a client address, above which new ones get 429 (no limit)'),
  row('clientAddress', 'address', 'socket, or forwarded for the last entry of X-Forwarded-For (socket)'),
  row('retryAfter', 'count', 'Retry-After of refused requests in seconds (1)'),
];

function row(name: keyof ProductionOptions, kind: Kind, help: string): OptionRow {
  return { name, kind, help, flag: name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) };
}

const ms = onFirstUse(() => require('ms') as (text: string) => number | undefined);

const WANTED: Readonly<Record<Kind, string>> = {
  port: 'a port from 0 to 65535',
  text: 'an address of this machine, or a host name',
  workers: "a number from 0 to 1024, or 'auto'",
  time: "milliseconds up to 2147483647 (24.8 days), or a time such as '20s'",
  count: 'a whole number from 0',
  flag: 'true or false',
  address: "'socket' or 'forwarded'",
};

/** The value of an option from the command line or from a program, in its unit; undefined if it is invalid. */
function valueOf(kind: Kind, given: unknown): unknown {
  switch (kind) {
    case 'port':
      return whole(given, 65_535);
    case 'text':
      return typeof given === 'string' && given !== '' ? given : undefined;
    case 'workers':
      return given === 'auto' ? availableParallelism() : whole(given, 1024);
    case 'time':
      return milliseconds(given);
    case 'count':
      return whole(given, Number.MAX_SAFE_INTEGER);
    case 'flag':
      return typeof given === 'boolean' ? given : undefined;
    case 'address':
      return given === 'socket' || given === 'forwarded' ? given : undefined;
  }
}

function whole(given: unknown, most: number): number | undefined {
  const value = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given;
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most
    ? (value as number)
    : undefined;
}

function milliseconds(given: unknown): number | undefined {
  const value = typeof given === 'string' && given !== '' && given.length < 20 ? ms()(given) : given;
  return typeof value === 'number' && value >= 0 && value <= LONGEST_TIME ? value : undefined;
}

/**
 * Checks options and adds the defaults.
 *
 * @param prefix prefix of option names in messages
 * @throws ProductionError ERR_NONSTOP_OPTION for an unknown option or a wrong value
 */
export function readOptions(given: Readonly<Record<string, unknown>>, prefix = ''): Settings {
  const shown = (name: string): string =>
    prefix === '' ? name : prefix + (OPTIONS.find((each) => each.name === name)?.flag ?? name);
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const option = OPTIONS.find((each) => each.name === name);
    if (option === undefined) throw new ProductionError('ERR_NONSTOP_OPTION', `unknown option: ${name}`);
    const found = valueOf(option.kind, value);
    if (found === undefined) throw wrong(shown(name), option.kind, value);
    read[name] = found;
  }
  return withDefaults(read, shown);
}

/**
 * Reads a time in any form that the options accept, as milliseconds.
 *
 * @throws ProductionError ERR_NONSTOP_OPTION
 */
export function timeOf(name: string, given: unknown): number {
  const time = milliseconds(given);
  if (time === undefined) throw wrong(name, 'time', given);
  return time;
}

function wrong(name: string, kind: Kind, value: unknown): ProductionError {
  return wrongValue(name, value, WANTED[kind]);
}

/** @param wanted what the value must be */
export function wrongValue(name: string, value: unknown, wanted: string): ProductionError {
  const shown = typeof value === 'string' ? `'${value}'` : typeof value === 'function' ? 'a function' : String(value);
  return new ProductionError('ERR_NONSTOP_OPTION', `${name} is ${shown}, and must be ${wanted}`);
}

function withDefaults(read: Partial<Settings>, nameOf: (name: keyof Settings) => string): Settings {
  const { PORT, HOST } = process.env;
  const port = read.port ?? (PORT === undefined || PORT === '' ? 3000 : whole(PORT, 65_535));
  if (port === undefined) throw wrong('PORT', 'port', PORT);
  const host = read.host ?? HOST ?? '';
  const overload = read.overload ?? false;
  if (read.metrics === true && read.healthPort === undefined) {
    throw new ProductionError(
      'ERR_NONSTOP_OPTION',
      `${nameOf('metrics')} needs ${nameOf('healthPort')}, which serves them`,
    );
  }
  if (read.healthHost !== undefined && read.healthPort === undefined) {
    throw new ProductionError('ERR_NONSTOP_OPTION', `${nameOf('healthHost')} needs ${nameOf('healthPort')}`);
  }
  const { healthPort, healthHost = host } = read;
  if (healthPort !== undefined && healthPort === port && port !== 0 && healthHost === host) {
    throw wrongValue(nameOf('healthPort'), healthPort, 'another port than that of the application');
  }
  return {
    port,
    host,
    workers: 0,
    grace: 20_000,
    drainDelay: read.healthPort === undefined ? 0 : 5000,
    streamLimit: 5000,
    hookTimeout: 5000,
    readyTimeout: 30_000,
    hangTimeout: 60_000,
    keepAlive: 0,
    healthPort: NO_PORT,
    healthHost: host,
    metrics: false,
    accessLog: false,
    overload,
    maxRequests: overload ? 1000 : 0,
    maxDelay: overload ? 200 : 0,
    maxPerAddress: 0,
    clientAddress: 'socket',
    retryAfter: 1,
    ...read,
  };
}

/** Means no health port, because 0 lets the system choose one. */
export const NO_PORT = -1;
