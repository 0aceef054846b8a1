import type { Row } from '../summary.js';

/** Planned use of a core, with room for bursts. */
const PLANNED = 0.6;

/**
 * The measured CPU time scaled to the user's own load, in one line.
 *
 * @param perSecond requests in a second
 */
export function atLoad(express: Row, nonstop: Row, perSecond: number): string {
  const cores = ({ cpu }: Row): number => (cpu * perSecond) / 1e6;
  const machines = (row: Row): number => Math.max(1, Math.ceil(cores(row) / PLANNED));
  const [before, after] = [machines(express), machines(nonstop)];
  const processes = before === after ? `${before} either way` : `${before} and ${after}`;
  return (
    `At ${perSecond.toLocaleString('en')} requests/s: ${cores(express).toFixed(2)} cores under ${express.contestant}, ` +
    `${cores(nonstop).toFixed(2)} under Nonstop; processes of one core at ${PLANNED * 100} %: ${processes}.`
  );
}
