import type express = require('express');
import type { Kit } from './beside-express.js';
import { oracle } from './oracle.js';
import { nonstop } from './subject.js';

export type Framework = typeof express;

/** Nonstop, with the type of Express. */
export const ours = nonstop as unknown as Framework;

/** The framework that a case is run with: for its routers and further applications. */
export function frameworkOf(kit: Kit): Framework {
  return kit === oracle ? oracle : ours;
}
