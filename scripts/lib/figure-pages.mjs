import { budgetSentence, budgetText, spreadText } from './budgets.mjs';
import { FLOOR, behindIn, cpuUnit, major, middle, shown, support } from './figures.mjs';

/**
 * @typedef {import('./figures.mjs').Figures} Figures
 * @typedef {import('./figures.mjs').Row} Row
 * @typedef {import('../../packages/lab/src/board/judge.js').Verdict} Verdict
 */

/** What the numbers in brackets are. */
const SPREAD = 'its median lies there with a certainty of 93 % or more';

/** A contestant in Markdown. @param {string} name */
const marked = (name) => (name === 'node:http' ? '`node:http`' : name);

/**
 * The part of README.md between its markers.
 * @param {Figures} figures
 * @param {readonly Verdict[]} verdicts of the same figures
 * @returns {string} Markdown
 */
function readmeFigures(figures, verdicts) {
  const { commit, date, command, machine, note, nodes } = figures;
  const majors = nodes.map(major);
  const supported = majors.filter((node) => Number(node) >= 24);
  const older = majors.filter((node) => Number(node) < 24);
  return [
    'Medians of CPU time per request, over the workloads below, and in brackets over all rows of the same run:',
    '',
    ...majors.map((node) => middlesLine(figures, node)),
    '',
    "CPU time of the server process per request in µs, lower is better. The last columns divide Nonstop's figure by the other's; in brackets is",
    `the spread of that share over the rounds: ${SPREAD}.`,
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
    ...behindLines(figures),
    ...(figures.compared.includes('Bun.serve')
      ? []
      : ['[Five studies](docs/guide/studies.md) have some of Bun.serve.']),
    '',
    budgetSentence(verdicts),
  ].join('\n');
}

/** The rows at the top of README.md: equal requests, varied ones, asynchronous handlers, a body, and the usual middleware. */
const FIRST_SEEN = ['hello', 'varied', 'async', 'post-json', 'stack'];

/**
 * The few figures with which README.md begins, of the newest LTS release.
 * @param {Figures} figures
 * @returns {string} Markdown
 */
function glance(figures) {
  const node = ltsOf(figures);
  const rows = figures.rows.filter((row) => row.node === node && FIRST_SEEN.includes(row.name));
  const cells = (/** @type {Row} */ { values }) =>
    ['Express 5', 'node:http'].map((name) => values[name]?.toFixed(1) ?? '').join(' | ');
  return [
    `CPU time of one request in µs, on Node ${node}. [All figures](#figures) say how they were measured, and where Nonstop is behind.`,
    'Requests that differ have a path, fields and an answer of their own each, so nothing can be reused.',
    '',
    '| request | Express 5 | `node:http` by hand | Nonstop |',
    '|---|--:|--:|--:|',
    ...rows.map((row) => withEmptyCells(`| ${row.title} | ${cells(row)} | **${row.values['Nonstop'].toFixed(1)}** |`)),
  ].join('\n');
}

/** A line of a table whose empty cells have one space, as the formatter writes them. @param {string} line */
const withEmptyCells = (line) => line.replaceAll(/\| {2,}(?=\|)/g, '| ');

/** The newest LTS release of the figures, or their newest. @param {Figures} figures @returns {string} its major */
const ltsOf = ({ nodes }) => nodes.map(major).find((one) => support[one] === 'LTS') ?? major(nodes[0]);

/** Nonstop's shares of the others on one Node. @param {Figures} figures @param {string} node */
function middlesLine(figures, node) {
  const words = ['node:http', 'Express 5', 'Fastify'].flatMap((against) => {
    const { share, rows, allShare, allRows } = middle(figures, node, against);
    if (share === undefined || allShare === undefined) return [];
    const all = allRows === rows ? '' : `; ${allShare.toFixed(2)} over all ${allRows}`;
    return [`**${share.toFixed(2)}** of ${marked(against)} (${rows} rows${all})`];
  });
  return `- Node ${node}, ${support[node]}: Nonstop needs ${words.join(', ')}.`;
}

/** What hello would need without HTTP, beside what it needs in the same row. @param {Figures} figures @returns {string[]} */
function floorText({ more }) {
  const parts = more
    .filter(({ name }) => name === FLOOR.row)
    .flatMap(({ node, values }) => {
      const { [FLOOR.contestant]: least, [FLOOR.beside]: hello } = values;
      if (hello === undefined || least === undefined) return [];
      return [`${least.toFixed(1)} µs on Node ${node} (Nonstop ${hello.toFixed(1)})`];
    });
  if (parts.length === 0) return [];
  const what = 'a server of `node:net` that writes one constant for each read, and knows nothing of HTTP';
  const text = `The floor: ${what}, needs ${parts.join(', ')}. These are figures of another run of hello (row \`${FLOOR.row}\`), so Nonstop's differ a little from the table's.`;
  return [text, ''];
}

/** The rows in which others are ahead as a table, and the servers of studies that are. @param {Figures} figures @returns {string[]} */
function behindLines(figures) {
  const majors = figures.nodes.map(major);
  const behind = behindIn(figures);
  const kinds = new Map(behind.map(({ title, name }) => [JSON.stringify([title, name]), { title, name }]));
  const lines = [...kinds.values()].map((kind) => {
    const cells = majors.map((node) => {
      const found = behind.find((one) => one.title === kind.title && one.name === kind.name && one.node === node);
      if (found !== undefined) return found.share.toFixed(2);
      const row = [...figures.rows, ...figures.more].find((one) => one.title === kind.title && one.node === node);
      return row?.values[kind.name] === undefined ? '' : 'less';
    });
    return `| ${[kind.title, marked(kind.name), ...cells].join(' | ')} |`;
  });
  const rows =
    lines.length === 0
      ? ['Nonstop is behind in none of the rows.']
      : [
          "Nonstop is behind in these rows (its figure divided by the other's; `less` where it needs less):",
          '',
          `| workload | behind | ${majors.map((node) => `Node ${node}`).join(' | ')} |`,
          `|---|---|${majors.map(() => '--:|').join('')}`,
          ...lines,
        ];
  const others = [...aheadTexts(figures), ...unmeasuredText(figures)];
  return others.length === 0 ? rows : [...rows, '', ...others];
}

/** @param {Figures} figures @returns {string[]} a sentence for each contestant of a study that is ahead */
const aheadTexts = ({ ahead }) =>
  ahead.map(
    ({ contestant, runs, workload, value, nonstop, source }) =>
      `${contestant} on ${runs} needs ${value.toFixed(1)} µs for ${workload} where Nonstop needs ${nonstop.toFixed(1)} (\`${source}\`).`,
  );

/** The native servers that these figures do not have. @param {Figures} figures @returns {string[]} */
function unmeasuredText({ compared }) {
  const without = ['Bun.serve', 'µWebSockets'].filter((name) => !compared.includes(name));
  if (without.length === 0) return [];
  const have = without.length === 1 ? 'has' : 'have';
  return [
    `${without.join(' and ')} ${have} no figures here; servers in native code have less to do for each request, so expect Nonstop to be slower.`,
  ];
}

/**
 * The same as one text, for the page that draws the figures.
 * @public the page is a Vue file
 * @param {Figures} figures
 * @returns {string}
 */
export function behindText(figures) {
  const behind = behindIn(figures);
  const rows = [...new Set(behind.map(({ title }) => title))].map((title) => {
    const ones = behind.filter((one) => one.title === title);
    return `${title} (${ones.map(({ name, node, share }) => `${share.toFixed(2)} of ${name} on Node ${node}`).join(', ')})`;
  });
  const where = `Nonstop is behind in: ${rows.join('; ') || 'none of these rows'}.`;
  return [where, ...aheadTexts(figures), ...unmeasuredText(figures)].join('\n');
}

/** @param {Figures} figures @param {string[]} nodes */
function table({ rows }, nodes) {
  const number = (/** @type {number | undefined} */ value) => {
    if (value === undefined) return '';
    return value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
  };
  const share = (/** @type {Row} */ { values, spreads }, /** @type {string} */ name) =>
    values[name] === undefined ? '' : (values['Nonstop'] / values[name]).toFixed(2) + spreadText(spreads[name]);
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
      return withEmptyCells(`| ${[...cells, share(row, 'node:http'), share(row, 'Express 5')].join(' | ')} |`);
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
  const node = ltsOf(figures);
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

/**
 * A page with the figures in their places.
 * @param {string} name
 * @param {string} page
 * @param {Figures} figures
 * @param {readonly Verdict[]} verdicts of the same figures
 */
export function filled(name, page, figures, verdicts) {
  if (name === 'README.md') return fill(fill(page, readmeFigures(figures, verdicts)), glance(figures), 'glance');
  const withCosts = fill(fill(page, costs(figures)), byNode(figures), 'node');
  return fill(withCosts, budgetText(figures, verdicts), 'budgets');
}
