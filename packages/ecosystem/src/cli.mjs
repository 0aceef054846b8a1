// npm run ecosystem: packages of Express's ecosystem, unmodified, on Express and on Nonstop, compared.
import { cpus } from 'node:os';
import { seconds } from '../../../scripts/lib/checks.mjs';
import { readCommandLine, whole } from '../../../scripts/lib/command-line.mjs';
import { compilePackage } from '../../../scripts/lib/compile.mjs';
import { main } from '../../../scripts/lib/main.mjs';
import { fromCaller } from '../../../scripts/lib/paths.mjs';
import { setup } from '../../../scripts/lib/setup.mjs';
import { folderOf, install, versionsThere } from './install.mjs';
import { writePage } from './page.mjs';
import { play } from './play.mjs';
import { allRows, fifth, readVersions, turnOf, writeVersions } from './rows.mjs';
import { prepareServices } from './services.mjs';
import { suites as suiteList } from './suite-list.mjs';
import { runSuites } from './suites.mjs';
import { lost, lostSuites, readTable, writeTable } from './table.mjs';

const usage = `npm run ecosystem [-- NAME …] [options]
  NAME …        rows, by the names of the files in packages/ecosystem/programs (default: all)
  --fifth N     a fifth of the rows, N of 1 to 5 or 'today'; rows whose installation takes long are left out
  --list        the names of the rows
  --record      writes the table, the versions and the page of the documentation (docs/compat/ecosystem.md)
  --latest      installs the newest versions instead of the recorded ones
  --keep        keeps the transcripts of both sides in .build/ecosystem
  --suites      runs the packages' own tests, without and with Nonstop; NAME … are then suites
  --from FOLDER with --suites: holds a checkout of each package, by the name of its repository
  --built       does not build packages/nonstop/dist again

Packages are installed into .build/ecosystem. A row whose packages cannot be installed is not tried, and the run goes on.
Exit status: 1 if a row differs that does not differ in the recorded table; otherwise 3 if a row of that table could not be tried.
With --suites: 1 if a test passes only without Nonstop, the engine answered no request, or node:http answered some for an unknown
reason; otherwise 3 if a suite of the recorded table could not be tried, or fewer of its tests pass now.`;

await main(async () => {
  const { values, positionals } = readCommandLine(
    usage,
    {
      fifth: { type: 'string' },
      list: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      latest: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      suites: { type: 'boolean', default: false },
      from: { type: 'string' },
      built: { type: 'boolean', default: false },
    },
    { words: Infinity },
  );
  if (values.suites !== (values.from !== undefined)) throw new Error(`--suites and --from go together\n\n${usage}`);
  if (values.from !== undefined) return ownTests(fromCaller(values.from), positionals, values);
  const rows = chosen(positionals, values.fifth);
  if (values.list) return console.log(rows.map(({ name }) => name).join('\n'));
  await setup(console.log);
  if (!values.built) await compilePackage();
  await prepareServices(rows);
  const pinned = readVersions();
  const all = await runRows(rows, values.latest ? {} : pinned, values.keep);
  const before = readTable();
  // If this Node is too old for a row, the row keeps its line of a newer Node.
  const kept = rows.filter((row) => tooOld(row) !== undefined && before.rows[row.name]?.verdict === 'equal');
  const lines = Object.fromEntries(Object.entries(all).filter(([name]) => !kept.some((row) => row.name === name)));
  if (values.record) {
    const versions = Object.values(lines).map(({ verdict, versions }) => (verdict === 'not tried' ? {} : versions));
    writeVersions(Object.assign({ ...pinned }, ...versions));
    const [{ model }] = cpus();
    const machine = `${model.replace(/ \d+-Core Processor| Processor/g, '')} with ${cpus().length} cores`;
    const [date] = new Date().toISOString().split('T');
    // A partial run does not change the Node of the table: its own Node is beside its rows.
    const node = rows.length === allRows().length ? process.versions.node : before.node;
    const table = { ...before, node, date, machine, rows: { ...before.rows, ...lines } };
    writeTable(table);
    writePage(table);
  }
  conclude(lines, lost(before.rows, lines));
});

/**
 * @param {string} from
 * @param {string[]} names
 * @param {{ built: boolean, record: boolean }} how
 */
async function ownTests(from, names, { built, record }) {
  await setup(console.log);
  if (!built) await compilePackage();
  const { lines: suites, untried } = await runSuites(from, names);
  const before = readTable();
  if (record) {
    const table = { ...before, suites: sorted(known({ ...before.suites, ...suites })) };
    writeTable(table);
    writePage(table);
  }
  const bad = Object.values(suites).some(
    ({ own, ours, engine, other, note }) => ours < own || engine === 0 || (other > 0 && note === undefined),
  );
  const lostThere = lostSuites(before.suites ?? {}, suites, untried);
  if (lostThere.length > 0) console.log(`Lost against the recorded table: ${lostThere.join(', ')}`);
  process.exitCode = bad ? 1 : lostThere.length > 0 ? 3 : 0;
}

/** @template T @param {Record<string, T>} lines @returns {Record<string, T>} those of suites that are still in the list */
function known(lines) {
  return Object.fromEntries(Object.entries(lines).filter(([name]) => name in suiteList));
}

/** @template T @param {Record<string, T>} lines @returns {Record<string, T>} */
function sorted(lines) {
  return Object.fromEntries(Object.entries(lines).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {string[]} names @param {string | undefined} turn */
function chosen(names, turn) {
  const rows = allRows();
  if (turn !== undefined) {
    const number = turn === 'today' ? turnOf(new Date()) : whole('fifth', turn);
    if (number === undefined || number > 5) throw new Error(`--fifth needs a number from 1 to 5, got '${turn}'`);
    return fifth(rows, number);
  }
  const unknown = names.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) throw new Error(`Unknown row: ${unknown} (npm run ecosystem -- --list shows all)`);
  return names.length === 0 ? rows : rows.filter(({ name }) => names.includes(name));
}

/**
 * @param {import('./rows.mjs').Row[]} rows
 * @param {Record<string, string>} versions
 * @param {boolean} keep
 * @returns {Promise<import('./table.mjs').Lines>}
 */
async function runRows(rows, versions, keep) {
  const places = byPlace(rows);
  /** @type {import('./table.mjs').Lines} */
  const lines = {};
  console.log(`${rows.length} rows in ${places.size} folders of packages; about 3 s a row, and what npm needs.`);
  for (const [place, together] of places) {
    const started = performance.now();
    console.log(`...   installing for ${together.length} rows in .build/ecosystem/${place}`);
    const failed = await install(together, versions);
    console.log(`ok    installed  ${seconds(started)}`);
    const queue = [...together];
    const worker = async () => {
      for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
        const begun = performance.now();
        const reason = failed.get(row.name) ?? tooOld(row);
        const result =
          reason === undefined
            ? await play(row, folderOf(place), { keep })
            : { verdict: /** @type {const} */ ('not tried'), reasons: [reason] };
        lines[row.name] = { ...result, node: process.versions.node, versions: versionsThere(row), about: row.about };
        say(row.name, lines[row.name], seconds(begun));
      }
    };
    await Promise.all([worker(), worker()]);
  }
  return lines;
}

/** @param {import('./rows.mjs').Row} row */
function tooOld({ node = 0 }) {
  return Number(process.versions.node.split('.')[0]) < node ? `it needs Node ${node}` : undefined;
}

/** @param {import('./rows.mjs').Row[]} rows @returns {Map<string, import('./rows.mjs').Row[]>} */
function byPlace(rows) {
  const places = new Map();
  for (const row of rows) places.set(row.place, [...(places.get(row.place) ?? []), row]);
  return places;
}

/** @param {string} name @param {import('./table.mjs').Line} line @param {string} took */
function say(name, { verdict, requests, reasons = [] }, took) {
  const mark = { equal: 'ok   ', differs: 'DIFF ', 'not tried': '–    ' }[verdict];
  const told = verdict === 'equal' ? `${requests} requests` : verdict;
  console.log([`${mark} ${name}  ${told}  ${took}`, ...reasons.map((reason) => `      ${reason}`)].join('\n'));
}

/** @param {import('./table.mjs').Lines} lines @param {{ differ: string[], untried: string[] }} losses */
function conclude(lines, { differ, untried }) {
  const count = (/** @type {string} */ verdict) =>
    Object.values(lines).filter((line) => line.verdict === verdict).length;
  console.log(`\n${count('equal')} equal, ${count('differs')} that differ, ${count('not tried')} not tried`);
  if (differ.length > 0) console.log(`Lost against the recorded table: ${differ.join(', ')}`);
  if (untried.length > 0) console.log(`Tried in the recorded table, but not now: ${untried.join(', ')}`);
  process.exitCode = differ.length > 0 ? 1 : untried.length > 0 ? 3 : 0;
}
