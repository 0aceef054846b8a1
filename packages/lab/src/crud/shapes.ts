import path = require('node:path');
import { labRoot } from '../paths.js';

/** One of the study's shapes of a record. */
export interface Shape {
  readonly title: string;
  /** The value, with the size of the study. */
  make(): unknown;
  accepts(value: unknown): boolean;
}

/** By name, in the order of the study. */
export const shapes = require(path.join(labRoot, 'peers', 'crud', 'shapes.js')) as Readonly<Record<string, Shape>>;

export const shapeNames: readonly string[] = Object.keys(shapes);

/** In the order in which a record lives. */
export const verbs = ['POST', 'GET', 'PUT', 'DELETE'] as const;

export type Verb = (typeof verbs)[number];
