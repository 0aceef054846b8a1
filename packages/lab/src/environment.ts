/** @throws {Error} in one line, if the environment loads Nonstop into each process: every contestant would be Nonstop */
export function mustBeWithoutNonstop(): void {
  const { NODE_OPTIONS = '' } = process.env;
  if (/nonstop\S*register\b/.test(NODE_OPTIONS))
    throw new Error(
      `NODE_OPTIONS loads Nonstop into each contestant (${NODE_OPTIONS}): leave it out, the lab does so itself`,
    );
}

/** Whether the environment leaves all servers to node:http. */
export const isEngineOff = (): boolean => process.env['NONSTOP_ENGINE'] === 'node';
