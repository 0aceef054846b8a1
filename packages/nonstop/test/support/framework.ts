import type express = require('express');
import type { Kit } from './beside-express.js';
import { oracle } from './oracle.js';
import { nonstop } from './subject.js';

export type Framework = typeof express;

/** Nonstop typed as what it stands for. */
export const ours = nonstop as unknown as Framework;

/** The framework whose parts a case was given: for routers and further applications. */
export function frameworkOf(kit: Kit): Framework {
  return kit === oracle ? oracle : ours;
}
