import { createRequire } from 'node:module';

/** Loads a package in the version that Express 4 depends on, which is the oracle of its replacement here. */
export const ofExpress4: (name: string) => unknown = createRequire(require.resolve('express4'));
