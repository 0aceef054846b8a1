/**
 * @typedef {{ title: string, name: string, figure: string, node: string, unit: string, values: Record<string, number>,
 *   spreads: Record<string, Spread> }} Row medians of one figure of one workload by contestant, and the spread of Nonstop's share of each other;
 *   `node` is the major
 * @typedef {{ lowest: number, highest: number, rounds: number }} Spread
 * @typedef {{ contestant: string, runs: string, workload: string, node: string, value: number, nonstop: number, source: string }} Ahead
 *   a contestant of a study that needs less CPU time than Nonstop, in µs of CPU time per request; `runs` is what it runs on
 * @typedef {{ commit: string, date: string, command: string, machine: string, note: string, nodes: string[], rounds: number, rows: Row[],
 *   more: Row[], compared: string[], ahead: Ahead[] }} Figures `nodes` are whole versions; `rounds` were planned; `more` are the rows of the
 *   board that the tables leave out; `compared` are all contestants of the studies
 * @typedef {{ shareOf: typeof import('../../packages/lab/src/board/share.js').shareOf,
 *   boardRows: typeof import('../../packages/lab/src/board/rows.js').boardRows }} Lab
 * @typedef {{ scenario: string, contestant: string, node: string, connections: number, round: number, cpu: number, requests: number,
 *   unanswered?: number }} Sample
 * @typedef {{ row: string, contestant: string, node: string, figure: string, unit: string, round: number, value: number }} Figure
 * @typedef {{ kind: string, ended: string, started: string, commit?: string, study?: string, base?: unknown,
 *   machine: Record<string, string | number>, versions: Record<string, string>, generator: { name: string, version: string },
 *   cores: { server?: number }, samples: Sample[], figures: Figure[], failures: Failure[], notes: string[],
 *   settings: { rounds: number, mostRounds?: number, seconds: number, warmup: number, connections: number, quick?: boolean,
 *     liveHeap?: number } }} BoardRecord
 * @typedef {{ scenario: string, contestant: string, node: string }} Failure
 */

/** The published rows, in this order, with their titles. */
export const shown = new Map([
  ['hello', 'hello'],
  ['browser', "a browser's request, 15 fields"],
  ['varied', 'requests that differ'],
  ['async', 'requests that differ, answered after an `await`'],
  ['post-json', 'POST JSON, 1 kB'],
  ['routes-1000', 'the last of 1,000 routes'],
  ['stack', 'helmet, cors, session, compression, …'],
  ['https', 'https, keep-alive'],
  ['pipelined', '16 requests pipelined, each'],
  ['query-api', 'a new connection for each request'],
  ['parts', 'an answer in three parts, `res.write()`'],
  ['static', 'static file of 10 kB, requested by all clients at once'],
  ['files-200', '200 static files in turn; Nonstop keeps small files in memory'],
  ['idle', 'memory of an idle connection, bytes'],
  ['start', '`require()`, ms'],
  ['first-requests', 'CPU time from the start of the process until its 1,000th request, ms'],
]);

/** Clearer titles of some rows that are not in the tables; the others have the board's. All are named if Nonstop needs more in them. */
const leftOut = new Map([
  ['echo', 'a parameter'],
  ['getter', 'a parameter, and a field of the request'],
  ['async-db', 'three awaits'],
  ['proxy', 'two connections of a proxy'],
  ['in-front', 'requests that differ, behind a listener in front of the application, as with socket.io'],
  ['stream-1m', 'a stream of 1 MB'],
  ['upload-1m', 'an upload of 1 MB with multer (by hand: busboy)'],
  ['view', 'a view'],
  ['ejs-table', 'a table by ejs'],
  ['session-valkey', 'a session in Valkey'],
  ['stack-gzip', 'helmet, cors, session, compression, …, with an answer of 5 kB, which is compressed'],
  ['https-new', 'https, a handshake for each request'],
  ['https-resumed', 'https, a resumed session for each request'],
  ['user-server', 'a server of http.createServer()'],
]);

/** The row and the contestant that show what a server in JavaScript needs at least. */
export const FLOOR = { row: 'hello-v4', contestant: 'a constant on net', beside: 'Nonstop for 5' };

/** Contestants that are no other servers: parts of Nonstop, and what knows nothing of HTTP. @param {string} name */
const isOurs = (name) => name.startsWith('Nonstop') || name === 'the engine by hand' || name === FLOOR.contestant;

export const cpuUnit = 'µs of CPU time per request';

/** The status of Node's releases, by its own schedule: https://github.com/nodejs/release. @type {Record<string, string>} */
export const support = { 20: 'past its end', 22: 'maintenance', 24: 'LTS', 26: 'current' };

/**
 * The figures of a whole board.
 * @param {BoardRecord} record
 * @param {Lab} lab
 * @param {BoardRecord[]} [studies] whose contestants that are ahead of Nonstop are named
 * @returns {Figures}
 * @throws {Error} with a message of one line, if a record cannot be published
 */
export function figuresOf(record, lab, studies = []) {
  mustBeWhole(record, 'board', 'head-to-head');
  // A row outside the tables may be absent as a whole, such as one whose packages could not be installed.
  mustHaveAll(record.failures.filter(({ scenario, contestant }) => shown.has(scenario) || contestant !== 'the row'));
  const nodes = [...new Set([...record.samples, ...record.figures].map(({ node }) => node))].sort(newestFirst);
  const { rounds, mostRounds = rounds, seconds, warmup, connections } = record.settings;
  const place = record.cores.server === undefined ? 'not pinned to cores' : 'the server alone on one core';
  const majors = nodes.map(major).toReversed().join(',');
  const spreads = groups(record.samples).map(({ contestant, rounds: taken }) => ({
    own: contestant === 'Nonstop',
    spread: spreadOf([...taken.values()]),
  }));
  const widest = (/** @type {boolean} */ own) =>
    Math.round(100 * Math.max(0, ...spreads.filter((one) => one.own === own).map(({ spread }) => spread)));
  const compared = studies.flatMap((study) => contestantsBeside(study));
  const rows = nodes.flatMap((node) => rowsOf(record, node, lab));
  return {
    commit: commitOf(record),
    date: record.started.slice(0, 10),
    command: `npm run ${record.kind === 'board' ? 'lab -- board' : 'compare --'}${rowsAsked(record, lab)} --node ${majors} --rounds ${rounds}${mostRounds > rounds ? ` --most-rounds ${mostRounds}` : ''} --seconds ${seconds} --warmup ${warmup}`,
    machine: machineOf(record),
    note: `Medians of ${mostRounds > rounds ? `${rounds} to ${mostRounds}` : rounds} alternating rounds, ${connections} connections, ${record.generator.name}, ${place}. Spread between rounds: up to ${widest(true)} % for Nonstop, up to ${widest(false)} % for the others.${unansweredIn(record.samples)}`,
    nodes,
    rounds,
    rows: rows.filter(({ name }) => shown.has(name)),
    more: rows.filter(({ name }) => !shown.has(name)),
    compared: [...new Set(compared)],
    ahead: studies.flatMap((study) => aheadIn(study)),
  };
}

/** A sentence about requests that were not answered in time, which no figure counts. @param {readonly Sample[]} samples */
function unansweredIn(samples) {
  const missed = samples.filter(({ unanswered = 0 }) => unanswered > 0);
  if (missed.length === 0) return '';
  const [lost, answered] = [
    missed.reduce((sum, { unanswered = 0 }) => sum + unanswered, 0),
    missed.reduce((sum, { requests }) => sum + requests, 0),
  ];
  const names = [...new Set(missed.map(({ contestant }) => contestant))].join(', ');
  return ` In ${missed.length} samples (${names}) ${lost} requests had no answer in time, beside ${answered} with one.`;
}

/** @param {string} version */
export const major = (version) => version.replace(/^v/, '').split('.')[0];

/** @param {string} a @param {string} b */
const newestFirst = (a, b) => Number(major(b)) - Number(major(a));

/** @param {BoardRecord} record */
const machineOf = ({ machine: { processor, cores, system } }) =>
  `${processor} with ${cores} cores, ${String(system).split('-')[0]}`;

/** The commit of a record as pages name it. @param {{ commit?: string }} record */
export const commitOf = ({ commit = 'unknown' }) =>
  `${commit.slice(0, 7)}${commit.endsWith('-dirty') ? ', changed' : ''}`;

/** The option `--row` or `--rows` of a run that does not have all rows of the board. @param {BoardRecord} record @param {Lab} lab */
function rowsAsked({ kind, samples, figures }, { boardRows }) {
  const names = new Set([...samples.map(({ scenario }) => scenario), ...figures.map(({ row }) => row)]);
  if (kind === 'board' && boardRows.every(({ name }) => names.has(name))) return '';
  return ` --${kind === 'board' ? 'row' : 'rows'} ${[...names].join(',')}`;
}

/** @param {readonly Failure[]} failures @throws {Error} with a message of one line, if there are any */
export function mustHaveAll([failure]) {
  if (failure === undefined) return;
  const { contestant, scenario, node } = failure;
  throw new Error(
    `${contestant} failed in ${scenario} on Node ${node}: a figure would be missing, or have fewer rounds`,
  );
}

/** @param {BoardRecord} record @param {...string} wanted prefixes of the accepted kinds */
function mustBeWhole({ kind, ended, settings, base, notes }, ...wanted) {
  if (!wanted.some((one) => kind.startsWith(one)))
    throw new Error(`This record is of '${kind}', not of '${wanted[0]}'`);
  if (base !== undefined) throw new Error('This record compares two commits (--base); a board is needed');
  if (ended !== 'complete') throw new Error(`This record is not complete (${ended})`);
  if (settings.quick === true) throw new Error('This record is of a short run (--quick)');
  if (notes.some((note) => note.startsWith('NONSTOP_ENGINE=')))
    throw new Error('This record is of Nonstop without its engine (NONSTOP_ENGINE=node)');
  if (settings.liveHeap !== undefined) throw new Error('This record is of servers with --live-heap');
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** @param {readonly number[]} values */
const spreadOf = (values) => (Math.max(...values) - Math.min(...values)) / median(values);

/** CPU times by workload, contestant, Node and connections. @param {readonly Sample[]} samples */
function groups(samples) {
  /** @type {Map<string, { name: string, contestant: string, node: string, rounds: Map<number, number> }>} */
  const found = new Map();
  for (const { scenario: name, contestant, node, connections, round, cpu } of samples) {
    const key = JSON.stringify([name, contestant, node, connections]);
    const group = found.get(key) ?? { name, contestant, node, rounds: new Map() };
    group.rounds.set(round, cpu);
    found.set(key, group);
  }
  return [...found.values()];
}

/**
 * The rows of one Node that have a figure of Nonstop: those of the tables first, then the others in the board's order.
 * @param {BoardRecord} record
 * @param {string} node
 * @param {Lab} lab
 * @returns {Row[]}
 */
function rowsOf(record, node, { shareOf, boardRows }) {
  /** @type {Map<string, string>} */
  const titles = new Map(shown);
  for (const { name, title } of boardRows) titles.set(name, shown.get(name) ?? leftOut.get(name) ?? title);
  return [...titles].flatMap(([name, title]) => {
    const figures = figuresIn(record, name, node);
    return figures.flatMap(({ figure, unit, taken }) => {
      const own = taken.get('Nonstop');
      if (own === undefined) return [];
      const values = Object.fromEntries(
        [...taken].map(([contestant, rounds]) => [contestant, median([...rounds.values()])]),
      );
      const spreads = Object.fromEntries(
        [...taken].flatMap(([contestant, rounds]) => {
          const share = contestant === 'Nonstop' ? undefined : shareOf(own, rounds);
          if (share === undefined) return [];
          const [lowest, highest] = [share.lowest, share.highest].map((value) => Number(value.toFixed(4)));
          return [[contestant, { lowest, highest, rounds: share.rounds }]];
        }),
      );
      const named = figures.length === 1 ? title : `${title}, ${unit === '' ? figure : unit}`;
      return [{ title: named, name, figure, node: major(node), unit, values, spreads }];
    });
  });
}

/**
 * The figures of a workload by contestant and round: the CPU time of a load, or what the row counts.
 * @param {BoardRecord} record
 * @param {string} name
 * @param {string} node
 */
function figuresIn({ samples, figures }, name, node) {
  /** @type {Map<string, { figure: string, unit: string, taken: Map<string, Map<number, number>> }>} */
  const found = new Map();
  for (const one of groups(samples.filter((sample) => sample.scenario === name && sample.node === node))) {
    const cpu = found.get('cpu') ?? { figure: 'cpu', unit: cpuUnit, taken: new Map() };
    cpu.taken.set(one.contestant, one.rounds);
    found.set('cpu', cpu);
  }
  for (const { figure, unit, contestant, round, value } of figures.filter(
    (one) => one.row === name && one.node === node,
  )) {
    const other = found.get(figure) ?? { figure, unit, taken: new Map() };
    other.taken.set(contestant, (other.taken.get(contestant) ?? new Map()).set(round, value));
    found.set(figure, other);
  }
  return [...found.values()];
}

/** @param {BoardRecord} study */
function contestantsBeside(study) {
  mustBeWhole(study, 'study-');
  mustHaveAll(study.failures);
  const names = [...new Set(study.samples.map(({ contestant }) => contestant))];
  return names.filter((name) => name !== 'Nonstop');
}

/** For each contestant that is ahead: the workload with the most connections. @param {BoardRecord} study @returns {Ahead[]} */
function aheadIn(study) {
  const most = Math.max(...study.samples.map(({ connections }) => connections));
  const here = groups(study.samples.filter(({ connections }) => connections === most));
  const source = `npm run lab -- study ${study.study}, ${most.toLocaleString('en')} connections, ${study.started.slice(0, 10)}, commit ${commitOf(study)}`;
  const middleOf = (/** @type {{ rounds: Map<number, number> }} */ { rounds }) => median([...rounds.values()]);
  return here.flatMap(({ contestant, name, node, rounds }) => {
    const own = here.find((one) => one.contestant === 'Nonstop' && one.node === node);
    if (own === undefined || middleOf({ rounds }) >= middleOf(own)) return [];
    const onBun = /\bBun\b/.test(contestant) ? `Bun ${study.versions['bun'] ?? ''}`.trim() : `Node ${major(node)}`;
    return [
      {
        contestant,
        runs: onBun,
        workload: name,
        node: major(node),
        value: middleOf({ rounds }),
        nonstop: middleOf(own),
        source,
      },
    ];
  });
}

/**
 * The median of Nonstop's shares of another's CPU time, over the rows that both have.
 * @param {Pick<Figures, 'rows' | 'more'>} figures
 * @param {string} node
 * @param {string} against
 * @returns {{ share?: number, rows: number, allShare?: number, allRows: number }} of the rows of the tables, and of all of the run
 */
export function middle({ rows, more }, node, against) {
  const sharesIn = (/** @type {Row[]} */ some) =>
    some
      .filter((row) => row.node === node && row.unit === cpuUnit && row.values[against] !== undefined)
      .map(({ values }) => values['Nonstop'] / values[against]);
  const middleOf = (/** @type {number[]} */ shares) => (shares.length === 0 ? undefined : median(shares));
  const here = sharesIn(rows);
  const all = sharesIn([...rows, ...more]);
  return { share: middleOf(here), rows: here.length, allShare: middleOf(all), allRows: all.length };
}

/** Rows in which another needs less than Nonstop, those too that the tables leave out. @param {Figures} figures */
export const behindIn = ({ rows, more }) =>
  [...rows, ...more].flatMap(({ title, node, values }) =>
    Object.entries(values)
      .filter(([name, value]) => !isOurs(name) && value < values['Nonstop'])
      .map(([name, value]) => ({ title, node, name, share: values['Nonstop'] / value })),
  );
