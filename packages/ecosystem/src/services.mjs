import { compile } from '../../../scripts/lib/compile.mjs';
import { labModule } from '../../../scripts/lib/head-to-head.mjs';

/**
 * What a program needs beside npm's packages. Each side of a row gets its own, empty.
 * @type {Record<'mongodb', <T>(work: (env: Record<string, string>) => Promise<T>) => Promise<T>>}
 */
const services = {
  // The lab's FerretDB with SQLite, which speaks MongoDB's protocol; Go builds it once.
  async mongodb(work) {
    const { FerretDb } = labModule('crud/ferretdb.js');
    const { buildFerretDb } = labModule('crud/build-ferretdb.js');
    const database = await FerretDb.start(await buildFerretDb());
    try {
      return await work({ MONGODB_URL: database.url });
    } finally {
      await database.stop();
    }
  },
};

/** @typedef {keyof typeof services} Service */

/**
 * @template T
 * @param {Service | undefined} name
 * @param {(env: Record<string, string>) => Promise<T>} work gets the variables that say where the service is
 * @returns {Promise<T>}
 * @throws {Error} if the service cannot be started
 */
export const withService = (name, work) => (name === undefined ? work({}) : services[name](work));

/** Compiles the lab if a row needs a service. @param {import('./rows.mjs').Row[]} rows */
export async function prepareServices(rows) {
  if (rows.every(({ service }) => service === undefined)) return;
  await compile('packages/lab/tsconfig.json');
}
