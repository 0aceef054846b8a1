import { createRequire } from 'node:module';
import path from 'node:path';
import { ProductionError } from './errors.js';
import type { Metric } from './metrics.js';

/** The used part of prom-client. */
export interface PromClient {
  readonly register: { getMetricsAsJSON(): Promise<readonly Metric[]> };
  readonly AggregatorRegistry: {
    aggregate(metrics: readonly (readonly Metric[])[]): { metrics(): Promise<string>; readonly contentType: string };
  };
}

/** The used part of pino. */
export interface Logger {
  info(fields: object, message: string): void;
}
export interface Destination {
  write(line: string): void;
  on(event: 'error' | 'drop' | 'drain', listener: (error?: Error) => void): void;
  flush(): void;
  flushSync(): void;
}
export interface Pino {
  (options: object, lines: Destination): Logger;
  destination(options: object): Destination;
}

/** The application's file; undefined in a program that calls serve(). */
let application: string | undefined;

export function findPeersFrom(file: string): void {
  application = file;
}

/**
 * Loads an optional package, resolved from the application, from the working directory or else from Nonstop.
 *
 * @param why the option that needs it, as programs and as the command name it
 * @throws ProductionError ERR_NONSTOP_PEER if it is not installed
 */
function peer(name: string, why: string): unknown {
  const here = path.resolve('package.json');
  for (const place of [application ?? here, here, __filename]) {
    const require = createRequire(place);
    let file: string;
    try {
      file = require.resolve(name);
    } catch {
      continue;
    }
    return require(file);
  }
  throw new ProductionError('ERR_NONSTOP_PEER', `${why} needs the package ${name}: npm install ${name}`);
}

export const promClient = (): PromClient => peer('prom-client', 'metrics (--metrics)') as PromClient;
export const pino = (): Pino => peer('pino', 'accessLog (--access-log)') as Pino;
