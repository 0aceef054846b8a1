import type { CSSProperties } from 'react';
import { tones, lookOf } from '../../../src/report/palette.js';

/** The colour of a contestant, the same in every picture and in the lab's report. */
export function toneOf(contestant: string): CSSProperties {
  const [light, dark] = tones[lookOf(contestant).tone];
  return { color: `light-dark(${light}, ${dark})` };
}
