import { version } from '../support/subject.js';

/** A program, and rows of it, that do not apply to Express 4. */
interface LeftOut {
  readonly program: RegExp;
  /** All rows if undefined. */
  readonly rows?: RegExp;
  readonly reason: string;
}

const OF_4: readonly LeftOut[] = [
  {
    program: /./,
    rows: /^(?:reject\b|resolve and |a thenable )/,
    reason: 'promises are ignored: there is no answer, and a rejection ends the process',
  },
  { program: /^app\.router\b/, reason: 'app.router throws; test/parity/v4/own.test.ts has rows for app._router' },
  {
    program: /^(?!res\.)/,
    rows: /an object without prototype/,
    reason: 'what is logged is asked for its toString, and both throw where it has none',
  },
];

/** Whether a row does not apply to the tested version of Express. */
export function isLeftOut(program: string, row?: string): boolean {
  if (version === 5) return false;
  return OF_4.some(
    (each) => each.program.test(program) && (each.rows === undefined || (row !== undefined && each.rows.test(row))),
  );
}
