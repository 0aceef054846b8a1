import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { nameAndRange } from './install.mjs';

/**
 * @typedef {import('./table.mjs').Table} Table
 * @typedef {import('./table.mjs').Line} Line
 */

const page = inRoot('docs', 'compat', 'ecosystem.md');

/** @returns {[string, string][]} applications without a program, each with the reason; written by hand */
const withoutProgram = () =>
  Object.entries(JSON.parse(readFileSync(inRoot('packages', 'ecosystem', 'not-tried.json'), 'utf8')));

/** @param {Table} table */
export const writePage = (table) => writeFileSync(page, pageOf(table));

/** @param {Table} table @returns {string} the page of the documentation */
export function pageOf(table) {
  const lines = Object.entries(table.rows).sort(([a], [b]) => (a < b ? -1 : 1));
  const of = (/** @type {Line['verdict']} */ verdict) => lines.filter(([, line]) => line.verdict === verdict);
  const [equal, differing] = [of('equal'), of('differs')];
  const untried = [
    ...of('not tried').map(([name, line]) => [packageOf(name, line), line.reasons?.[0]]),
    ...withoutProgram(),
  ];
  const requests = equal.reduce((sum, [, line]) => sum + (line.requests ?? 0), 0);
  const parts = [
    '<!-- Written by `npm run ecosystem -- --record`. -->',
    '# Packages, unmodified',
    `Each row is a small program with the package, written as in the package's own guide. It runs with the same requests on the Express
that is installed beside it, and with \`--import nonstop/register\`. Everything except Date is compared: status, fields with their order and
case, octets, chunks, and the results of the package's clients and sockets. The last column counts the requests that the engine
answered; a row counts as equal only if \`node:http\` answered none of them.`,
    `A package that changes \`express\` itself, such as express-async-errors, express-group-routes and express-ws (\`router.ws\` with Express 4),
changes the Express that its own \`require('express')\` finds. That is Nonstop with \`nonstop/register\`, as in these rows, and with an
[alias or overrides](../guide/moving.md#3-keep-it). Where a program requires \`nonstop\` or \`nonstop/v4\` by name, the change has no effect
on it: a rejection stays unhandled, \`app.group\` and \`router.ws\` are missing.`,
    `setheader 1.0.2, and with it access-control 1.0.1 and primus 8.0.9, fail on the engine: [why, and what helps](README.md#the-engine), at
\`Symbol(kOutHeaders)\`.`,
    `**${equal.length} equal** with ${requests} requests, ${differing.length} that differ, ${untried.length} not tried. Node ${table.node}, ${table.machine}, ${table.date}.`,
    `\`npm run ecosystem\` runs all of it, \`npm run ecosystem -- cors helmet\` two rows; [how to add one](../internals/ecosystem.md).`,
  ];
  if (differing.length > 0) parts.push('## What differs', differing.map(differs).join('\n'));
  parts.push('## Equal', tableOf(equal, table.node));
  if (untried.length > 0)
    parts.push('## Not tried', untried.map(([name, reason]) => `- ${name}: ${plain(reason)}`).join('\n'));
  if (table.suites !== undefined) parts.push(...suitesOf(table.suites));
  return `${parts.join('\n\n')}\n`;
}

/** @param {[string, Line][]} lines @param {string} node that the others ran on */
function tableOf(lines, node) {
  const rows = lines.map(
    ([name, line]) =>
      `| ${packageOf(name, line)} | ${line.express || '–'} | ${plain(line.about)}${line.node === undefined || line.node === node ? '' : ` (Node ${line.node})`} | ${line.requests} |`,
  );
  return ['| package | Express | exercised | requests |', '|---|---|---|--:|', ...rows].join('\n');
}

/** @param {[string, Line]} row */
const differs = ([name, line]) =>
  [
    `- ${packageOf(name, line)}, ${plain(line.about)}:`,
    ...(line.reasons ?? []).map((each) => `  - ${code(each)}`),
  ].join('\n');

/** @param {string} name @param {Line} line the packages with their versions, without Express, which has a column */
function packageOf(name, { versions }) {
  const named = Object.entries(versions)
    .map(([wanted, version]) => [nameAndRange(wanted)[0], version])
    .filter(([each]) => each !== 'express')
    .map(([each, version]) => `${each} ${version}`);
  return named.length === 0 ? name : named.join(', ');
}

/** @param {string | undefined} text as Markdown shows it */
const plain = (text = '') => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{{', '{ {');
/** @param {string} text */
const code = (text) => `\`${text.replaceAll('`', "'").replaceAll('{{', '{ {')}\``;

/** @param {NonNullable<Table['suites']>} suites */
function suitesOf(suites) {
  const rows = Object.entries(suites).map(
    ([name, { version, node, own, ours, engine, other, note }]) =>
      `| ${name} ${version} | ${node} | ${own} | ${ours} | ${engine} | ${other} | ${plain(note)} |`,
  );
  return [
    '## Their own tests',
    `The packages' own test suites, run as they are and then with Nonstop in the place of Express and of \`node:http\`'s listener in each of
their processes (\`npm run ecosystem -- --suites --from FOLDER\`).`,
    [
      '| suite | Node | pass as they are | of them with Nonstop | requests by the engine | by `node:http` | |',
      '|---|---|--:|--:|--:|--:|---|',
      ...rows,
    ].join('\n'),
  ];
}
