import path = require('node:path');
import type { Framework } from './framework.js';
import { oracle } from './oracle.js';
import { subject, version } from './subject.js';

/** The exports of any inner module of Express. */
// oxlint-disable-next-line no-explicit-any
export type Inner = any;

/**
 * Loads an inner module of a framework, as some packages do.
 *
 * @param name such as `lib/response`, or `router/lib/layer` of Express 5
 */
export function inner(make: Framework, name: string): Inner {
  if (make !== oracle) return require(path.join(subject, version === 4 ? 'v4' : '.', name));
  const specifier = name.startsWith('router') ? name : `${version === 4 ? 'express4' : 'express'}/${name}`;
  return require(specifier);
}
