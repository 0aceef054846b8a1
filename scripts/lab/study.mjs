import { list, whole } from '../lib/command-line.mjs';
import { attended, exitCode, labModule } from '../lib/head-to-head.mjs';
import { asked, nodes, options as common } from './settings.mjs';

export const usage = `npm run lab -- study query-api|echo|hello|getter|crud|all [options]   a published study with its settings; all takes hours
  --contestants 'node:http,Express 5,Nonstop'   (default: all)
  --requests 10000        of each sample, for studies that count requests
  --generator ab          ab, autocannon, curl-multi or wrk (default: the study's own)
  --repetitions 100       of the study crud`;

export const options = /** @type {const} */ ({
  ...common,
  contestants: { type: 'string' },
  requests: { type: 'string' },
  generator: { type: 'string' },
  repetitions: { type: 'string' },
});

/** Options of a load; the study crud is not a load. */
const ofLoads = /** @type {const} */ (['rounds', 'seconds', 'warmup', 'connections', 'requests', 'generator']);

/** The name of the study. */
export const words = 1;

/**
 * @typedef {import('./settings.mjs').Values &
 *   { contestants?: string, requests?: string, generator?: string, repetitions?: string }} Values
 */

/**
 * @param {Values} values
 * @param {string[]} positionals
 * @returns {() => Promise<number>} repeats the study
 */
export function prepare(values, [name]) {
  // All studies take hours, so a missing name must not start them.
  if (name === undefined) throw new Error(`Name a study, or all (which takes hours)\n\n${usage}`);
  mustFit(values, name);
  const levels = list('connections', values.connections)?.map((level) => whole('connections', level));
  const change = { ...asked(values), requests: whole('requests', values.requests), connections: levels };
  const common = { quick: values.quick, contestants: list('contestants', values.contestants) };
  const repetitions = whole('repetitions', values.repetitions);
  return async () => {
    const { chooseStudies } = labModule('study/studies.js');
    const changed = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const options = { ...common, nodes: await nodes(values), generator: values.generator, change: changed };
    /** @type {((attendance: object) => Promise<any>)[]} */
    const runs = chooseStudies(name).map(
      (/** @type {unknown} */ study) => (/** @type {object} */ attendance) =>
        labModule('study/study.js').runStudy(study, { ...options, ...attendance }),
    );
    if (name === 'crud' || name === 'all') {
      const { contestantsAmong } = labModule('crud/contestants.js');
      const contestants = name === 'all' ? contestantsAmong(options.contestants) : options.contestants;
      const what = { ...options, contestants, repetitions };
      // An empty list means that none of the names is in this study.
      if (contestants?.length !== 0)
        runs.push((attendance) => labModule('crud/study.js').runCrud({ ...what, ...attendance }));
    }
    return inTurn(runs);
  };
}

/**
 * @param {Values} values
 * @param {string} name
 * @throws {Error} in one line, if the study does not support an option
 */
function mustFit(values, name) {
  const odd = name === 'crud' ? ofLoads.find((option) => values[option] !== undefined) : undefined;
  if (odd !== undefined)
    throw new Error(`--${odd} does not apply to the study crud, which has --repetitions\n\n${usage}`);
  if (values.repetitions !== undefined && name !== 'crud' && name !== 'all')
    throw new Error(`--repetitions applies to the study crud only, not to ${name}\n\n${usage}`);
}

/** @param {((attendance: object) => Promise<any>)[]} runs */
async function inTurn(runs) {
  let code = 0;
  for (const run of runs) {
    const record = await attended(run);
    code ||= exitCode(record);
    if (record.ended === 'interrupted') break;
  }
  return code;
}
