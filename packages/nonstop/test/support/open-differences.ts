interface Open {
  readonly reason: string;
  readonly tests: readonly string[];
  /** The first Node major with the difference; earlier ones are tested. */
  readonly since?: number;
}

/** Tests in which the engine still differs from node, by reason. They are skipped; `OPEN_DIFFERENCES=run` runs them. */
const OPEN: readonly Open[] = [];

const MAJOR = Number(process.versions.node.split('.')[0]);

/** @returns why the test of this name is known to fail; undefined if it must pass */
export function openDifference(name: string): string | undefined {
  if (process.env['OPEN_DIFFERENCES'] === 'run') return undefined;
  return OPEN.find(({ tests, since = 0 }) => MAJOR >= since && tests.includes(name))?.reason;
}
