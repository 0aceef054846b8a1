/**
 * @typedef {{ title: string, name: string, node: string, unit: string, values: Record<string, number> }} Row medians of one workload
 *   by contestant; `node` is the major
 * @typedef {{ contestant: string, runs: string, workload: string, node: string, value: number, nonstop: number, source: string }} Ahead
 *   a contestant of a study that needs less CPU time than Nonstop, in µs of CPU time per request; `runs` is what it runs on
 * @typedef {{ commit: string, date: string, command: string, machine: string, note: string, nodes: string[], rows: Row[],
 *   more?: Row[], floor?: Row[], compared: string[], ahead: Ahead[] }} Figures `nodes` are whole versions; `more` are the rows of the board
 *   that the tables leave out, `floor` a constant by hand on node:net; `compared` are all contestants of the studies
 * @typedef {{ scenario: string, contestant: string, node: string, connections: number, cpu: number }} Sample
 * @typedef {{ row: string, contestant: string, node: string, unit: string, value: number }} Figure
 * @typedef {{ kind: string, ended: string, started: string, commit?: string, study?: string, base?: unknown,
 *   machine: Record<string, string | number>, versions: Record<string, string>, generator: { name: string, version: string },
 *   settings: { rounds: number, seconds: number, warmup: number, connections: number, quick?: boolean },
 *   samples: Sample[], figures: Figure[] }} BoardRecord
 */

/** The published rows, in this order, with their titles. */
const shown = new Map([
  ['hello', 'hello'],
  ['browser', "a browser's request, 15 fields"],
  ['varied', 'requests that differ'],
  ['async', 'requests that differ, behind an `await`'],
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
]);

/** Rows of the board that are not in the tables, and are named where Nonstop is behind in them. */
const leftOut = new Map([
  ['echo', 'a parameter'],
  ['getter', 'a parameter, and a field of the request'],
  ['async-db', 'three awaits'],
  ['proxy', 'two connections of a proxy'],
  ['json-10k', 'JSON of 10 kB'],
  ['json-100k', 'JSON of 100 kB'],
  ['middleware-20', '20 middleware'],
  ['stream-1m', 'a stream of 1 MB'],
  ['upload-1m', 'an upload of 1 MB with multer (by hand: busboy)'],
  ['view', 'a view'],
  ['ejs-table', 'a table by ejs'],
  ['gzip-10k', 'JSON of 10 kB, compressed'],
  ['session-valkey', 'a session in Valkey'],
  ['stack-gzip', 'the middleware above with compression'],
  ['https-new', 'https, a handshake for each request'],
  ['https-resumed', 'https, a resumed session for each request'],
  ['user-server', 'a server of http.createServer()'],
]);

/** The row and the contestant that show what a server in JavaScript needs at least. */
const FLOOR = { row: 'hello-v4', contestant: 'a constant on net', beside: 'Nonstop for 5' };

export const cpuUnit = 'µs of CPU time per request';

/** The status of Node's releases, by its own schedule: https://github.com/nodejs/release. @type {Record<string, string>} */
export const support = { 20: 'past its end', 22: 'maintenance', 24: 'LTS', 26: 'current' };

/**
 * The figures of a whole board.
 * @param {BoardRecord} record
 * @param {BoardRecord[]} [studies] whose contestants that are ahead of Nonstop are named
 * @returns {Figures}
 * @throws {Error} with a message of one line, if a record cannot be published
 */
export function figuresOf(record, studies = []) {
  mustBeWhole(record, 'board', 'head-to-head');
  const nodes = [...new Set([...record.samples, ...record.figures].map(({ node }) => node))].sort(newestFirst);
  const { rounds, seconds, warmup, connections } = record.settings;
  const majors = nodes.map(major).toReversed().join(',');
  const spreads = groups(record.samples).map(({ contestant, values }) => ({
    own: contestant === 'Nonstop',
    spread: spreadOf(values),
  }));
  const widest = (/** @type {boolean} */ own) =>
    Math.round(100 * Math.max(0, ...spreads.filter((one) => one.own === own).map(({ spread }) => spread)));
  const compared = studies.flatMap((study) => contestantsBeside(study));
  return {
    commit: (record.commit ?? 'unknown').slice(0, 7),
    date: record.started.slice(0, 10),
    command: `npm run ${record.kind === 'board' ? 'lab -- board' : 'compare --'} --node ${majors} --rounds ${rounds} --seconds ${seconds} --warmup ${warmup}`,
    machine: machineOf(record),
    note: `Medians of ${rounds} alternating rounds, ${connections} connections, ${record.generator.name}, the server alone on one core. Spread between rounds: up to ${widest(true)} % for Nonstop, up to ${widest(false)} % for the others.`,
    nodes,
    rows: nodes.flatMap((node) => rowsOf(record, node, shown)),
    more: nodes.flatMap((node) => rowsOf(record, node, leftOut)),
    floor: nodes.flatMap((node) => rowsOf(record, node, new Map([[FLOOR.row, FLOOR.contestant]]))),
    compared: [...new Set(compared)],
    ahead: studies.flatMap((study) => aheadIn(study)),
  };
}

/** @param {string} version */
const major = (version) => version.replace(/^v/, '').split('.')[0];

/** @param {string} a @param {string} b */
const newestFirst = (a, b) => Number(major(b)) - Number(major(a));

/** @param {BoardRecord} record */
const machineOf = ({ machine: { processor, cores, system } }) =>
  `${processor} with ${cores} cores, ${String(system).split('-')[0]}`;

/** @param {BoardRecord} record @param {...string} wanted prefixes of the accepted kinds */
function mustBeWhole({ kind, ended, settings, base }, ...wanted) {
  if (!wanted.some((one) => kind.startsWith(one)))
    throw new Error(`This record is of '${kind}', not of '${wanted[0]}'`);
  if (base !== undefined) throw new Error('This record compares two commits (--base); a board is needed');
  if (ended !== 'complete') throw new Error(`This record is not complete (${ended})`);
  if (settings.quick === true) throw new Error('This record is of a short run (--quick)');
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
  /** @type {Map<string, { name: string, contestant: string, node: string, values: number[] }>} */
  const found = new Map();
  for (const { scenario: name, contestant, node, connections, cpu } of samples) {
    const key = JSON.stringify([name, contestant, node, connections]);
    const group = found.get(key) ?? { name, contestant, node, values: [] };
    group.values.push(cpu);
    found.set(key, group);
  }
  return [...found.values()];
}

/** @param {BoardRecord} record @param {string} node @param {Map<string, string>} titles of the rows by name @returns {Row[]} */
function rowsOf(record, node, titles) {
  const loads = groups(record.samples).filter((one) => one.node === node);
  return [...titles].flatMap(([name, title]) => {
    const others = record.figures.filter((one) => one.row === name && one.node === node);
    const values = Object.fromEntries([
      ...loads.filter((one) => one.name === name).map(({ contestant, values }) => [contestant, median(values)]),
      ...new Map(
        others.map(({ contestant }) => [
          contestant,
          median(others.filter((one) => one.contestant === contestant).map(({ value }) => value)),
        ]),
      ),
    ]);
    if (values['Nonstop'] === undefined) return [];
    return [{ title, name, node: major(node), unit: others[0]?.unit ?? cpuUnit, values }];
  });
}

/** @param {BoardRecord} study */
function contestantsBeside(study) {
  mustBeWhole(study, 'study-');
  const names = [...new Set(study.samples.map(({ contestant }) => contestant))];
  return names.filter((name) => name !== 'Nonstop');
}

/** For each contestant that is ahead: the workload with the most connections. @param {BoardRecord} study @returns {Ahead[]} */
function aheadIn(study) {
  const most = Math.max(...study.samples.map(({ connections }) => connections));
  const here = groups(study.samples.filter(({ connections }) => connections === most));
  const source = `npm run lab -- study ${study.study}, ${most.toLocaleString('en')} connections, ${study.started.slice(0, 10)}, commit ${(study.commit ?? 'unknown').slice(0, 7)}`;
  return here.flatMap(({ contestant, name, node, values }) => {
    const own = here.find((one) => one.contestant === 'Nonstop' && one.node === node);
    if (own === undefined || median(values) >= median(own.values)) return [];
    const onBun = /\bBun\b/.test(contestant) ? `Bun ${study.versions['bun'] ?? ''}`.trim() : `Node ${major(node)}`;
    return [
      {
        contestant,
        runs: onBun,
        workload: name,
        node: major(node),
        value: median(values),
        nonstop: median(own.values),
        source,
      },
    ];
  });
}

/** The median of Nonstop's shares of another's CPU time, over the rows that both have. @param {Figures} figures @param {string} node @param {string} against */
export function middle({ rows }, node, against) {
  const shares = rows
    .filter((row) => row.node === node && row.unit === cpuUnit && row.values[against] !== undefined)
    .map(({ values }) => values['Nonstop'] / values[against]);
  return { share: shares.length === 0 ? undefined : median(shares), rows: shares.length };
}

/** Rows in which another needs less than Nonstop, those too that the tables leave out. @param {Figures} figures */
export const behindIn = ({ rows, more = [] }) =>
  [...rows, ...more].flatMap(({ title, node, values }) =>
    Object.entries(values)
      .filter(([name, value]) => name !== 'Nonstop' && !name.startsWith('Nonstop') && value < values['Nonstop'])
      .map(([name, value]) => ({ title, node, name, share: values['Nonstop'] / value })),
  );

/** The part of README.md between its markers. @param {Figures} figures @returns {string} Markdown */
export function readmeFigures(figures) {
  const { commit, date, command, machine, note, nodes } = figures;
  const majors = nodes.map(major);
  const supported = majors.filter((node) => Number(node) >= 24);
  const older = majors.filter((node) => Number(node) < 24);
  const lines = majors.map((node) => {
    const words = ['node:http', 'Express 5', 'Fastify'].flatMap((against) => {
      const { share, rows } = middle(figures, node, against);
      return share === undefined
        ? []
        : [`**${share.toFixed(2)}** of ${against === 'node:http' ? '`node:http`' : against} (${rows} rows)`];
    });
    return `- Node ${node}, ${support[node]}: Nonstop needs ${words.join(', ')}.`;
  });
  return [
    'Medians over the workloads below, of CPU time per request:',
    '',
    ...lines,
    '',
    "CPU time of the server process per request in µs, lower is better. The last columns divide Nonstop's figure by the other's.",
    '',
    table(figures, supported),
    '',
    `\`${command}\`: ${machine}, Node ${nodes.map((node) => node.replace(/^v/, '')).join(' and ')}, ${date}, commit ${commit}. ${note}`,
    ...(older.length === 0
      ? []
      : [
          '',
          `<details><summary>Node ${older.map((node) => `${node} (${support[node]})`).join(' and ')}</summary>`,
          '',
          table(figures, older),
          '',
          '</details>',
        ]),
    '',
    ...floorText(figures),
    behindText(figures),
  ].join('\n');
}

/** What hello would need without HTTP, beside what it needs in the same row. @param {Figures} figures @returns {string[]} */
function floorText({ floor = [] }) {
  const parts = floor.flatMap(({ node, values }) => {
    const { [FLOOR.contestant]: least, [FLOOR.beside]: hello } = values;
    if (hello === undefined || least === undefined) return [];
    return [`${least.toFixed(1)} µs on Node ${node} (Nonstop ${hello.toFixed(1)})`];
  });
  if (parts.length === 0) return [];
  const text = `The floor: a server of \`node:net\` that writes one constant for each read, and knows nothing of HTTP, needs ${parts.join(', ')}.`;
  return [text, ''];
}

/** The rows in which others are ahead, and the native servers that were not measured. @param {Figures} figures @returns {string} */
export function behindText(figures) {
  const behind = behindIn(figures);
  const rows = [...new Set(behind.map(({ title, name }) => `${title} (${name})`))].map((which) => {
    const ones = behind.filter(({ title, name }) => which === `${title} (${name})`);
    return `${which.slice(0, -1)}: ${ones.map(({ node, share }) => `${share.toFixed(2)} on Node ${node}`).join(', ')})`;
  });
  const studies = figures.ahead.map(
    ({ contestant, runs, workload, value, nonstop, source }) =>
      `${contestant} on ${runs} needs ${value.toFixed(1)} µs for ${workload} where Nonstop needs ${nonstop.toFixed(1)} (\`${source}\`)`,
  );
  const unmeasured = ['Bun.serve', 'µWebSockets'].filter((name) => !figures.compared.includes(name));
  return [
    `Nonstop is behind in: ${[...rows, ...studies].join('; ') || 'none of these rows'}.`,
    ...(unmeasured.length > 0
      ? [
          `${unmeasured.join(' and ')} ${unmeasured.length === 1 ? 'has' : 'have'} no figures here; servers in native code have less to do for each request, so expect Nonstop to be slower.`,
        ]
      : []),
  ].join('\n');
}

/** @param {Figures} figures @param {string[]} nodes */
function table({ rows }, nodes) {
  const number = (/** @type {number | undefined} */ value) => {
    if (value === undefined) return '';
    return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
  };
  const share = (/** @type {Row} */ { values }, /** @type {string} */ name) =>
    values[name] === undefined ? '' : (values['Nonstop'] / values[name]).toFixed(2);
  const body = [...shown.values()].flatMap((title) => {
    const here = nodes.flatMap((node) => rows.filter((row) => row.node === node && row.title === title));
    return here.map((row, index) => {
      const cells = [
        index === 0 ? title : '',
        row.node,
        number(row.values['node:http']),
        number(row.values['Express 5']),
        `**${number(row.values['Nonstop'])}**`,
      ];
      return `| ${[...cells, share(row, 'node:http'), share(row, 'Express 5')].join(' | ')} |`
        .replaceAll(/\| {2,}\|/g, '| |')
        .replaceAll(/\| {2,}\|/g, '| |');
    });
  });
  return [
    '| workload | Node | `node:http` by hand | Express 5 | Nonstop | ÷ `node:http` | ÷ Express 5 |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...body,
  ].join('\n');
}

/** The part of docs/guide/performance.md between its markers: the cost of requests on the newest LTS release. @param {Figures} figures */
function costs(figures) {
  const node = figures.nodes.map(major).find((one) => support[one] === 'LTS') ?? major(figures.nodes[0]);
  const rows = figures.rows.filter((row) => row.node === node && row.unit === cpuUnit);
  return [
    `CPU time of one request on Nonstop, on Node ${node}, in µs (medians of the board, taken ${figures.date} at commit ${figures.commit} on a small machine):`,
    '',
    '| request | µs |',
    '|---|--:|',
    ...rows
      .toSorted((a, b) => a.values['Nonstop'] - b.values['Nonstop'])
      .map(({ title, values }) => `| ${title} | ${values['Nonstop'].toFixed(1)} |`),
  ].join('\n');
}

/** The CPU time of hello on Express and Nonstop, by Node. @param {Figures} figures */
function byNode({ rows }) {
  const hello = rows.filter(({ name }) => name === 'hello');
  return [
    '| hello, µs of CPU time | Express 5 | Nonstop |',
    '|---|--:|--:|',
    ...hello.map(
      ({ node, values }) =>
        `| Node ${node}, ${support[node]} | ${values['Express 5']?.toFixed(1) ?? ''} | ${values['Nonstop'].toFixed(1)} |`,
    ),
  ].join('\n');
}

/**
 * Puts a text between `<!-- figures -->` and `<!-- /figures -->`.
 * @param {string} page
 * @param {string} text
 * @param {string} [name] instead of `figures`
 * @throws {Error} without these lines
 */
export function fill(page, text, name = 'figures') {
  const marks = new RegExp(`(<!-- ${name}[^>]*-->\n)[^]*?(\n<!-- /${name} -->)`);
  if (!marks.test(page)) throw new Error(`The page has no lines <!-- ${name} --> and <!-- /${name} -->`);
  return page.replace(marks, (_, before, after) => `${before}\n${text}\n${after}`);
}

/** A page with the figures in their places. @param {string} name @param {string} page @param {Figures} figures */
export const filled = (name, page, figures) =>
  name === 'README.md' ? fill(page, readmeFigures(figures)) : fill(fill(page, costs(figures)), byNode(figures), 'node');
