import { findAb } from './ab.js';
import { autocannon } from './autocannon.js';
import { findCurlMulti } from './curl-multi.js';
import { findH2load } from './h2load.js';
import type { Generator } from './load.js';
import { tlsSessions } from './tls-sessions.js';
import { findWrk } from './wrk.js';

export type GeneratorName = 'ab' | 'autocannon' | 'curl-multi' | 'h2load' | 'tls-sessions' | 'wrk';

interface Known {
  readonly find: () => Generator | undefined;
  /** The package to install for it, for messages. */
  readonly brings: string;
}

const known: Readonly<Record<GeneratorName, Known>> = {
  ab: { find: findAb, brings: 'ab is not installed; the package apache2-utils brings it (httpd-tools on Fedora)' },
  autocannon: { find: () => autocannon, brings: '' },
  'curl-multi': {
    find: findCurlMulti,
    brings: 'the libcurl client cannot be built here; it needs cc and the package libcurl4-openssl-dev',
  },
  h2load: {
    find: findH2load,
    brings: 'h2load is not installed; the package nghttp2-client brings it (nghttp2 on macOS)',
  },
  'tls-sessions': { find: () => tlsSessions, brings: '' },
  wrk: { find: findWrk, brings: 'wrk is not installed; the package wrk brings it' },
};

export interface Choice {
  readonly generator: Generator;
  /** Reports what is missing and what replaces it. */
  readonly note?: string;
}

/** The generator of this name if it is installed, otherwise autocannon, which is a dependency of the lab. */
export function preferred(name: GeneratorName): Choice {
  const generator = known[name].find();
  if (generator !== undefined) return { generator };
  return { generator: autocannon, note: `${known[name].brings}. autocannon from npm stands in for it.` };
}

/**
 * The generator of this name.
 *
 * @throws {Error} if the name is unknown, or the generator is not installed
 */
export function required(name: string): Generator {
  if (!Object.hasOwn(known, name)) {
    throw new Error(`There is no generator '${name}'; there are ${Object.keys(known).join(', ')}`);
  }
  const { find, brings } = known[name as GeneratorName];
  const generator = find();
  if (generator === undefined) throw new Error(brings);
  return generator;
}
