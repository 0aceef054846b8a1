import { versionOf } from '../record.js';
import type { PeerSource } from '../scenario.js';

export interface CrudContestant extends PeerSource {
  /** The framework's name on npm. */
  readonly package: string;
}

/** The contestants in the order of the tables: the two of the study, two other popular ones, and Nonstop. */
export const contestants: Readonly<Record<string, CrudContestant>> = {
  'Express 5': { file: 'crud/express.js', package: 'express' },
  Hapi: { file: 'crud/hapi.js', package: '@hapi/hapi' },
  Koa: { file: 'crud/koa.js', package: 'koa' },
  Fastify: { file: 'crud/fastify.js', package: 'fastify' },
  Nonstop: { file: 'crud/nonstop.js', package: 'nonstop' },
};

/**
 * The contestants of these names, in the order of the tables; all by default.
 *
 * @throws {Error} when one of the names is not among them
 */
export function chooseContestants(names?: readonly string[]): Readonly<Record<string, CrudContestant>> {
  for (const name of names ?? []) {
    if (!Object.hasOwn(contestants, name))
      throw new Error(`crud has no contestant '${name}'; there are ${Object.keys(contestants).join(', ')}`);
  }
  return Object.fromEntries(Object.entries(contestants).filter(([name]) => names?.includes(name) ?? true));
}

/** The named contestants that are in this study; undefined for all of them. */
export const contestantsAmong = (names?: readonly string[]): string[] | undefined =>
  names?.filter((name) => Object.hasOwn(contestants, name));

export const versionsOf = (chosen: Readonly<Record<string, CrudContestant>>): Record<string, string> =>
  Object.fromEntries(Object.entries(chosen).map(([name, contestant]) => [name, versionOf(contestant.package)]));
