import { createRequire } from 'node:module';

/** Loads a package in the version that Express 4 has, which is the oracle of what stands for it here. */
export const ofExpress4: (name: string) => unknown = createRequire(require.resolve('express4'));
