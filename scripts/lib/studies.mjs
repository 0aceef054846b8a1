import { commitOf, mustHaveAll } from './figures.mjs';

/**
 * @typedef {{ node: string, contestant: string, connections: number, rounds: number, cpu: number, cpuSpread: number, perSecond: number,
 *   p99: number, rss: number }} Load medians over the rounds: µs of CPU time per request, requests per second, ms, bytes
 * @typedef {{ node: string, shape: string, contestant: string, server: number, client: number, cpu: number }} Records of a shape of record, the
 *   four verbs together: mean ms inside the server and at the client, and mean µs of CPU time per request
 * @typedef {{ study: string, date: string, commit: string, command: string, setup: string, loads: Load[], records: Records[],
 *   compared: string[][] }} KeptStudy `setup` is the machine, the generator and the versions; `compared` is the table of what was
 *   published beside what was measured, its heads first
 * @typedef {{ kind: string, study: string, ended: string, started: string, commit?: string,
 *   machine: Record<string, string | number>, versions: Record<string, string>, generator?: { name: string, version: string },
 *   database?: string, settings: Record<string, any>, notes: string[], samples: any[], cpu?: any[],
 *   failures: import('./figures.mjs').Failure[] }} StudyRecord
 * @typedef {(file: string) => any} Lab loads a compiled module of the lab
 */

/**
 * What the page shows of a record.
 * @param {StudyRecord} record
 * @param {Lab} lab
 * @returns {KeptStudy}
 * @throws {Error} with a message of one line, if the record cannot be published
 */
export function keptStudy(record, lab) {
  if (!record.kind.startsWith('study-')) throw new Error(`This record is of '${record.kind}', not of a study`);
  if (record.ended !== 'complete') throw new Error(`This record is not complete (${record.ended})`);
  if (record.settings['quick'] === true) throw new Error('This record is of a short run (--quick)');
  mustHaveAll(record.failures);
  const nodes = [...new Set(record.samples.map(({ node }) => node))];
  return {
    study: record.study,
    date: record.started.slice(0, 10),
    commit: commitOf(record),
    command: `npm run lab -- study ${record.study} --node ${nodes.map(major).join(',')}${chosen(record, lab)}`,
    setup: setupOf(record, nodes),
    ...(record.study === 'crud' ? recordsOf(record, lab) : loadsOf(record, lab)),
  };
}

/** @param {string} version */
const major = (version) => version.replace(/^v/, '').split('.')[0];

/** The options with which a part of the study was repeated. @param {StudyRecord} record @param {Lab} lab */
function chosen({ study, samples }, lab) {
  if (study === 'crud') return '';
  const [published] = lab('study/studies.js').chooseStudies(study);
  const all = Object.keys(lab('study/contestants.js').chooseContestants(published));
  const names = [...new Set(samples.map(({ contestant }) => contestant))];
  const levels = [...new Set(samples.map(({ connections }) => connections))];
  return [
    levels.length === published.settings.connections.length ? '' : ` --connections ${levels.join(',')}`,
    names.length === all.length ? '' : ` --contestants '${names.join(',')}'`,
  ].join('');
}

/** @param {StudyRecord} record @param {string[]} nodes */
function setupOf({ machine, versions, generator, database, settings }, nodes) {
  const by = generator === undefined ? database : `${generator.name} ${generator.version}`;
  const amounts = [
    ['requests', 'requests a sample'],
    ['rounds', 'rounds'],
    ['repetitions', 'repetitions'],
  ].flatMap(([name, words]) =>
    settings[name] === undefined
      ? []
      : [`${settings[name].toLocaleString('en')} ${settings[name] === 1 ? words.replace(/s$/, '') : words}`],
  );
  const programs = Object.entries(versions).filter(([name]) => /^(?!Nonstop)[A-Z]|^bun$/.test(name));
  return [
    `${machine['processor']}, ${machine['cores']} cores, ${String(machine['system']).split('-')[0]}`,
    `Node ${nodes.map((node) => node.replace(/^v/, '')).join(' and ')}`,
    by,
    ...amounts,
    programs.map(([name, version]) => `${name.replace(/ \d+$/, '')} ${version}`).join(', '),
  ].join('; ');
}

/** @param {StudyRecord} record @param {Lab} lab */
function loadsOf(record, lab) {
  const study = lab('study/studies.js').studies.find(
    (/** @type {{ name: string }} */ { name }) => name === record.study,
  );
  const rows = lab('summary.js').summarise(record.samples);
  const { compareWithPublished, comparisonCells } = lab('study/comparison.js');
  /** @type {Load[]} */
  const loads = rows.map((/** @type {Load} */ row) => ({
    node: major(row.node),
    contestant: row.contestant,
    connections: row.connections,
    rounds: row.rounds,
    cpu: row.cpu,
    cpuSpread: row.cpuSpread,
    perSecond: row.perSecond,
    p99: row.p99,
    rss: row.rss,
  }));
  return { loads, records: [], compared: inWords(comparisonCells(compareWithPublished(study, rows))) };
}

/** The lab's table with heads for readers of a page, and majors of Node. @param {string[][]} cells */
const inWords = ([, ...lines]) => [
  ['Node', 'figure', 'comparison', 'as published', 'connections', 'published', 'measured', 'Nonstop in its place'],
  ...lines.map(([node, ...others]) => [major(node), ...others]),
];

/** @param {StudyRecord} record @param {Lab} lab */
function recordsOf({ samples, cpu }, lab) {
  const { compareCrud, summariseCpu, summariseCrud } = lab('crud/summary.js');
  const times = summariseCrud(samples);
  /** @type {Records[]} */
  const records = summariseCpu(cpu ?? []).map((/** @type {any} */ { node, shape, contestant, cpu }) => {
    const own = times.filter(
      (/** @type {any} */ row) => row.node === node && row.shape === shape && row.contestant === contestant,
    );
    const sum = (/** @type {'server' | 'client'} */ side) =>
      own.reduce((/** @type {number} */ total, /** @type {any} */ row) => total + row[side].mean, 0);
    return { node: major(node), shape, contestant, server: sum('server'), client: sum('client'), cpu: cpu.mean };
  });
  const less = (/** @type {any} */ one) =>
    one === undefined ? '' : `${one.percent.toFixed(1).replace('-', '−')} ± ${one.within.toFixed(1)} %`;
  const compared = compareCrud(samples)
    .filter((/** @type {any} */ { verb }) => verb === 'all')
    .map((/** @type {any} */ one) => [
      major(one.node),
      one.shape,
      one.words,
      less(one.server),
      less(one.client),
      less(one.nonstop),
      less(one.nonstopAgainstExpress),
    ]);
  return {
    loads: [],
    records,
    compared: [
      ['Node', 'record', 'published', 'in the server', 'at the client', 'Nonstop than Hapi', 'Nonstop than Express'],
      ...compared,
    ],
  };
}

/** The part of the page that belongs to a study. @param {KeptStudy} kept @returns {string} Markdown */
export function studyText(kept) {
  const nodes = [...new Set([...kept.loads, ...kept.records].map(({ node }) => node))];
  const [head, ...lines] = kept.compared;
  return [
    kept.study === 'crud'
      ? 'Less time than Hapi, Express as published and measured, then Nonstop; ± is two standard errors, and a smaller difference does not count:'
      : 'Published and measured:',
    '',
    table(head, lines, kept.study === 'crud' ? 3 : 4),
    '',
    ...nodes.flatMap((node) =>
      kept.study === 'crud' ? recordTables(kept.records, node) : loadTables(kept.loads, node),
    ),
    `\`${kept.command}\`, ${kept.date}, commit ${kept.commit}. ${kept.setup}.`,
  ].join('\n');
}

/** @param {Load[]} loads @param {string} node */
function loadTables(loads, node) {
  const here = loads.filter((one) => one.node === node);
  const levels = [...new Set(here.map(({ connections }) => connections))];
  // People ask for the cost under load first, and a thousand connections measure the machine's queues.
  const first = levels.includes(100) ? 100 : levels[levels.length - 1];
  const others = levels.filter((level) => level !== first);
  return [
    `**Node ${node}**, ${first.toLocaleString('en')} connections:`,
    '',
    loadTable(here.filter(({ connections }) => connections === first)),
    '',
    ...(others.length === 0
      ? []
      : [
          `<details><summary>Node ${node}, ${others.map((level) => level.toLocaleString('en')).join(', ')} connections</summary>`,
          '',
          loadTable(
            here.filter(({ connections }) => connections !== first),
            true,
          ),
          '',
          '</details>',
          '',
        ]),
  ];
}

/** @param {Load[]} rows @param {boolean} [level] a column with the number of connections */
function loadTable(rows, level = false) {
  const head = ['contestant', 'µs of CPU time', 'spread', 'requests/s', 'P99, ms', 'RSS, MB'];
  const lines = rows.map(({ contestant, connections, rounds, cpu, cpuSpread, perSecond, p99, rss }) => [
    ...(level ? [connections.toLocaleString('en')] : []),
    contestant,
    cpu.toFixed(1),
    rounds === 1 ? 'one round' : `${Math.round(100 * cpuSpread)} %`,
    Math.round(perSecond).toLocaleString('en'),
    p99.toFixed(p99 < 10 ? 1 : 0),
    (rss / 2 ** 20).toFixed(0),
  ]);
  return table(level ? ['connections', ...head] : head, lines, level ? 2 : 1);
}

/** @param {Records[]} records @param {string} node */
function recordTables(records, node) {
  const here = records.filter((one) => one.node === node);
  const lines = here.map(({ shape, contestant, server, client, cpu }) => [
    shape,
    contestant,
    server.toFixed(2),
    client.toFixed(2),
    Math.round(cpu).toLocaleString('en'),
  ]);
  return [
    `**Node ${node}**: the four verbs of a record together (\`control\` is one request without the database), means:`,
    '',
    table(['record', 'contestant', 'ms in the server', 'ms at the client', 'µs of CPU time, a request'], lines, 2),
    '',
  ];
}

/** @param {string[]} head @param {string[][]} lines @param {number} words the first columns, which are no numbers */
function table(head, lines, words) {
  const row = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`.replaceAll(/\| {2,}(?=\|)/g, '| ');
  return [row(head), `|${head.map((_, index) => (index < words ? '---' : '--:')).join('|')}|`, ...lines.map(row)].join(
    '\n',
  );
}
