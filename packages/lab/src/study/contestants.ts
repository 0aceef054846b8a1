import type { PeerSource } from '../scenario.js';
import type { Study } from './studies.js';

/** The contestants of every study. */
export interface Contestant extends PeerSource {
  /** The folder of its package in node_modules, for its version; a contestant that uses only node has none. */
  readonly package?: string;
  /** It runs on Bun, where that is installed. */
  readonly onBun?: boolean;
  /** Its npm specification if it is installed on demand, with the reason. */
  readonly onDemand?: { readonly spec: string; readonly reason: string };
}

/**
 * In the order of the tables. Each is a small program in `packages/lab/peers/`, written as the framework's own guide
 * shows.
 */
export const contestants: Readonly<Record<string, Contestant>> = {
  'node:http': { file: 'node-http-plain.js', ownFields: true },
  'Express 4': { file: 'express4.js', package: 'express4' },
  'Express 5': { file: 'express.js', package: 'express' },
  Restify: {
    file: 'restify.js',
    package: 'restify',
    ownFields: true,
    onDemand: { spec: 'restify@^12.0.0', reason: 'large, with a native package in its tree' },
  },
  Hapi: { file: 'hapi.js', package: '@hapi/hapi', ownFields: true },
  Koa: { file: 'koa.js', package: 'koa', ownFields: true },
  Fastify: { file: 'fastify.js', package: 'fastify', ownFields: true },
  Hono: { file: 'hono.js', package: 'hono', ownFields: true },
  Polka: { file: 'polka.js', package: 'polka', ownFields: true },
  Nonstop: { file: 'nonstop.js', package: 'nonstop' },
  'Nonstop for 4': { file: 'nonstop-v4.js', package: 'nonstop' },
  'Bun.serve': { file: 'bun-serve.js', ownFields: true, onBun: true },
  'Express on Bun': { file: 'express.js', package: 'express', ownFields: true, onBun: true },
};

/**
 * The contestants of a study: all, or the named ones.
 *
 * @throws {Error} when one of the names is not among them
 */
export function chooseContestants(study: Study, names?: readonly string[]): Readonly<Record<string, Contestant>> {
  const all: Readonly<Record<string, Contestant>> = { ...contestants, ...study.extra };
  for (const name of names ?? []) {
    if (!Object.hasOwn(all, name))
      throw new Error(`${study.name} has no contestant '${name}'; there are ${Object.keys(all).join(', ')}`);
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => names?.includes(name) ?? true));
}
