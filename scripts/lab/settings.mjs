import { list, positive, whole } from '../lib/command-line.mjs';
import { nodeBinary, runningNode } from '../lib/nodes.mjs';

/** Options of every command that measures, for parseArgs. */
export const options = /** @type {const} */ ({
  node: { type: 'string', default: runningNode.major },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  warmup: { type: 'string' },
  connections: { type: 'string' },
  quick: { type: 'boolean', default: false },
});

/** Their usage text. */
export const usage = `Options of every command that measures:
  --node 20,24            majors of Node for the servers (default: the running one)
  --rounds 5              alternating rounds
  --seconds 4             of each sample
  --warmup 2              seconds of load before the first sample
  --connections 50        at once; a study takes levels, such as 10,100,1000
  --quick                 a short run to check that everything works; its figures mean little`;

/**
 * @typedef {{ node: string, rounds?: string, seconds?: string, warmup?: string, connections?: string, quick: boolean }} Values
 */

/**
 * The values of the given options; others are undefined.
 * @param {Values} values
 */
export const asked = (values) => ({
  rounds: whole('rounds', values.rounds),
  seconds: positive('seconds', values.seconds),
  warmup: positive('warmup', values.warmup),
});

/**
 * The settings of a run at one number of connections.
 * @param {Values} values
 */
export function settings(values) {
  const usual = values.quick
    ? { rounds: 1, seconds: 0.3, warmup: 0.2, connections: 10, settled: 200, quick: true }
    : { rounds: 5, seconds: 4, warmup: 2, connections: 50 };
  const { rounds = usual.rounds, seconds = usual.seconds, warmup = usual.warmup } = asked(values);
  const connections = whole('connections', values.connections) ?? usual.connections;
  return { ...usual, rounds, seconds, warmup, connections };
}

/**
 * Majors of Node by their binaries, which are downloaded if necessary.
 * @param {Values} values
 */
export function nodes({ node }) {
  return Promise.all((list('node', node) ?? []).map((major) => nodeBinary(major, console.log)));
}
