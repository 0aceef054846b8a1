import assert = require('node:assert/strict');
import path = require('node:path');
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { RunRecord } from '../src/record.js';
import { report } from '../src/report/report.js';
import { noChromium, openPage, type WatchedPage } from '../../nonstop/test/support/chromium.js';
import { folder } from '../../nonstop/test/support/folder.js';
import {
  boardRecord,
  browserRecord,
  crudRecord,
  emptyRecord,
  sample,
  scaleRecord,
  studyRecord,
} from './fixtures/records.js';

const phone = { width: 360, height: 740 };
const hostile = `</script><img src=x onerror="alert(1)"><b>'"&`;

/** One record of each kind, and one whose texts all contain markup. */
const records: Record<string, RunRecord> = {
  'board.json': boardRecord(),
  'echo.json': studyRecord({ started: '2026-01-03T00:00:00.000Z', notes: ['A note of the run.'] }),
  'scale.json': scaleRecord({ started: '2026-01-04T00:00:00.000Z' }),
  'crud.json': crudRecord({ started: '2026-01-05T00:00:00.000Z' }),
  'browser.json': browserRecord(),
  'hostile.json': emptyRecord(hostile, {
    samples: [sample(hostile, hostile, { node: hostile })],
    failures: [{ scenario: hostile, contestant: hostile, node: hostile, problem: hostile }],
    notes: [hostile],
    machine: { processor: hostile, cores: 2, system: hostile, [hostile]: hostile },
    versions: { [hostile]: hostile },
    commit: hostile,
    generator: { name: hostile, version: hostile },
  }),
};

/** Creates the report of some records and opens it. */
async function opened(
  contents: Readonly<Record<string, RunRecord>>,
  options: Parameters<typeof openPage>[0] = {},
): Promise<WatchedPage> {
  const results = folder(
    Object.fromEntries(Object.entries(contents).map(([name, one]) => [name, JSON.stringify(one)])),
  );
  const out = path.join(results, 'report.html');
  report({ results, out, print: () => undefined });
  const watched = await openPage(options);
  await watched.page.goto(pathToFileURL(out).href);
  return watched;
}

/** Elements that are wider than the page and not in a box that scrolls. */
const tooWide = `[...document.querySelectorAll('body *')]
  .filter((one) => !one.closest('.scroll') && one.getBoundingClientRect().right > innerWidth + 0.5)
  .map((one) => one.outerHTML.slice(0, 200))`;

describe('the page of the report', { skip: noChromium }, () => {
  let watched: WatchedPage;
  before(async () => {
    if (noChromium === false) watched = await opened(records, { viewport: phone, colorScheme: 'light' });
  });

  test('begins with the answer and with published beside measured results; the rest is folded', async () => {
    const { page } = watched;
    const headings = await page.locator('main h2').allTextContents();
    assert.deepEqual(headings, [
      'The answer',
      'Five studies: published and measured',
      'Details',
      'Where the figures come from',
    ]);
    assert.equal(await page.locator('details').count(), await page.locator('details:not([open])').count());
    const closed = await page.evaluate<number>('document.documentElement.scrollHeight');
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
    const opened = await page.evaluate<number>('document.documentElement.scrollHeight');
    assert.ok(closed < opened / 2, `${closed} of ${opened} pixels`);
  });

  test('has headings that go down one level at a time', async () => {
    const names = await watched.page
      .locator('h1, h2, h3, h4, h5, h6')
      .evaluateAll((all) => all.map((one) => one.tagName));
    const levels = names.map((name) => Number(name.slice(1)));
    assert.equal(levels[0], 1);
    for (const [index, level] of levels.entries())
      assert.ok(index === 0 || level <= levels[index - 1] + 1, `h${level} after h${levels[index - 1]}`);
    // A record's notes have one.
    assert.ok((await watched.page.locator('.record h3').count()) > 0);
  });

  test('has a line of the answer for each Node of the board and each study', async () => {
    const lines = await watched.page.locator('#answer li').allInnerTexts();
    assert.equal(lines.length, 3);
    assert.match(
      lines[0],
      /^Board, Node v24\.1\.0: .* 0\.86 of node:http’s \(hello\).* 1 of 2 budgets missed: hello\.$/,
    );
    assert.match(
      lines[1],
      /^Study echo, requests\/s, 10 connections: Restify ÷ Express 5 was published as 1\.03 and is 1\.50 on Node v24\.1\.0; Nonstop ÷ Express 5 is 5\.00\.$/,
    );
    assert.match(lines[2], /^Study crud, time, objects: Express 5 ÷ Hapi was published as 1\.00 and is 0\.80 on/);
  });

  test('has one picture of published and measured for each study, with machine and date, and names those without', async () => {
    const published = watched.page.locator('#published');
    assert.equal(await published.locator('article').count(), 2);
    const echo = published.locator('#published-echo');
    assert.equal(await echo.locator('svg').count(), 1);
    assert.deepEqual(await echo.locator('text.value').allTextContents(), ['1.03', '1.50', '5.00']);
    assert.match(
      await echo.innerText(),
      /10 connections: a against b\s+Node v24\.1\.0: a processor, 2 cores, Linux 6; R\d, 2026-01-03/,
    );
    await published.getByText('Not measured: query-api, hello, getter.').waitFor();
  });

  test('loads no other file, and has no errors', () => {
    assert.deepEqual(watched.problems, []);
    assert.deepEqual(
      watched.requested.filter((address) => !address.startsWith('data:')).map((address) => path.basename(address)),
      ['report.html'],
    );
  });

  test('escapes the text of records', async () => {
    const { page } = watched;
    assert.equal(await page.locator('img, script, b:text-is("\'\\"&")').count(), 0);
    assert.ok((await page.getByText(hostile, { exact: false }).count()) >= 8);
  });

  test('fits a phone: only tables are wider, and they scroll by themselves', async () => {
    const { page } = watched;
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), phone.width);
    assert.deepEqual(await page.evaluate(tooWide), []);
    const scrolling = `[...document.querySelectorAll('.scroll')].some((box) => box.scrollWidth > box.clientWidth)`;
    assert.equal(await page.evaluate(scrolling), true);
  });

  test('has a bar for each contestant, level and figure that was sampled, and a word for each that failed', async () => {
    const study = watched.page.locator('#study-echo-v24-1-0');
    const { samples } = studyRecord();
    const groups = new Set(samples.map(({ contestant, connections }) => `${contestant} ${connections}`));
    // CPU time and requests/s of each.
    assert.equal(await study.locator('rect.bar').count(), 2 * groups.size);
    // Koa failed at both levels, in both figures.
    assert.equal(await study.locator('text.failed').count(), 4);
    const contestants = new Set(samples.map(({ contestant }) => contestant));
    assert.equal(await study.locator('g.line').count(), contestants.size);
    assert.equal(await study.locator('path.mark').count(), groups.size);
  });

  test('draws bars as long as their values', async () => {
    const [panel] = await watched.page.locator('#study-echo-v24-1-0 svg').all();
    const widths = await panel.locator('rect.bar').evaluateAll((bars) => bars.map((bar) => bar.getAttribute('width')));
    const values = ['node:http', 'Express 5', 'Nonstop'].map((name) => {
      // The mean of two rounds is the median.
      const costs = studyRecord().samples.filter((one) => one.contestant === name && one.connections === 10);
      return (costs[0].cpu + costs[1].cpu) / 2;
    });
    const [first, ...others] = widths.map((width, index) => Number(width) / values[index]);
    for (const other of others) assert.ok(Math.abs(other / first - 1) < 0.05, `${first} and ${other} units for one µs`);
  });

  test('shows budgets that are kept, missed and not measured', async () => {
    const board = watched.page.locator('#board-v24-1-0');
    await board.getByText('1 passed, 1 missed, 1 not measured').waitFor();
    assert.equal(await board.locator('rect.bar.c-pass').count(), 1);
    assert.equal(await board.locator('rect.bar.c-miss').count(), 1);
    assert.equal(await board.getByText('✗ 1 of 2 missed').count(), 1);
  });

  test('draws curves with a mark for each point, a broken axis before a zero, and what was judged', async () => {
    const scale = watched.page.locator('#scale-v24-1-0');
    const curve = scale.locator('.card');
    assert.equal(await curve.count(), 1);
    assert.equal(await curve.locator('path.mark').count(), 9);
    assert.equal(await curve.locator('path.break').count(), 1);
    await curve.getByText('✗ bends worse than node:http').waitFor();
    await curve.getByText('Express 5 failed in middleware-100').waitFor();
    // Two processes: a picture for each way of sharing, with three bars each.
    assert.equal(await scale.locator('rect.bar').count(), 6);
    await scale
      .getByText('processes, one process … node:cluster, 2 processes: no difference from node:http seen')
      .waitFor();
  });

  test('draws the record study, from the lab and from a browser', async () => {
    const study = watched.page.locator('#study-crud-v24-1-0');
    const { samples, cpu } = crudRecord();
    const groups = new Set(samples.map(({ shape, verb, contestant }) => `${shape} ${verb} ${contestant}`));
    // In the server and for the client; CPU time.
    assert.equal(await study.locator('rect.bar').count(), 2 * groups.size + cpu.length);
    assert.deepEqual(await study.locator('svg').first().locator('text.heading').allTextContents(), ['POST', 'GET']);
    const published = watched.page.locator('#published-crud');
    const shares = ['0.83', '0.80', '0.70', '1.00', '0.80', '0.70'];
    assert.deepEqual(await published.locator('text.value').allTextContents(), shares);
    const browser = watched.page.locator('#crud-browser-v24-1-0');
    assert.equal(await browser.locator('rect.bar').count(), 2 * 12);
  });

  test('gives every picture a text alternative, and its figures in tables', async () => {
    const { page } = watched;
    const pictures = page.locator('svg');
    const count = await pictures.count();
    assert.ok(count > 0);
    assert.equal(await page.getByRole('img', { name: /\S/ }).count(), count);
    const described = `[...document.querySelectorAll('svg')].every((one) => one.querySelector(':scope > desc').textContent.length > 20)`;
    assert.equal(await page.evaluate(described), true);
    const table = page.locator('#table-study-echo-v24-1-0 table').first();
    // The titles, and a line for each contestant and level.
    assert.equal(await table.getByRole('row').count(), 7);
    // Budgets may come from several records: each line names its record.
    const budgets = page.locator('#table-board-v24-1-0 table').first();
    assert.equal(await budgets.locator('td a').count(), boardRecord().verdicts.length);
  });

  test('links each picture to its record with all details', async () => {
    const { page } = watched;
    const target = await page.locator('#published-echo .source a').first().getAttribute('href');
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = false))`);
    await page.locator('#published-echo .source a').first().click();
    const record = page.locator(target ?? 'none');
    // The link opens a closed part.
    await record.getByText('echo.json').waitFor();
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
    const text = await record.innerText();
    for (const said of ['echo.json', '0123456789abcdef', 'a processor', 'Linux 6', 'v24.1.0', 'twenty 1', 'rounds 2']) {
      assert.ok(text.includes(said), said);
    }
    assert.match(text, /A note of the run\.[^]*Koa in echo on Node v24\.1\.0: no answer at all/);
    const broken = `[...document.querySelectorAll('a')].map((one) => one.getAttribute('href'))
      .filter((href) => !href.startsWith('#') || document.getElementById(href.slice(1)) === null)`;
    assert.deepEqual(await page.evaluate(broken), []);
  });

  test('is dark in dark mode, and prints light', async () => {
    const colours = `[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('.bar')).fill]`;
    const { page } = watched;
    const light = await page.evaluate(colours);
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await page.evaluate(colours);
    assert.notDeepEqual(dark, light);
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    assert.deepEqual(await page.evaluate(colours), light);
    await page.emulateMedia({ colorScheme: 'light', media: 'screen' });
  });

  test('fits a phone with the longest names of an application', async () => {
    const place = `/srv/${'a-long-folder-'.repeat(10)}/${'a-long-name-'.repeat(10)}.js`;
    const long = `GET /api/${'segment'.repeat(40)}?q=${'x'.repeat(200)}`;
    const taken = ['Express 5', 'Nonstop'].map((name) => sample(long, name));
    const app = {
      ...emptyRecord('app', { samples: taken, notes: [long] }),
      file: place,
      verdict: `No verdict: ${long}.`,
    };
    const { page } = await opened({ 'app.json': app }, { viewport: phone });
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
    assert.deepEqual(await page.evaluate(tooWide), []);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), phone.width);
  });

  test('marks a short run and an interrupted one', async () => {
    const { settings } = boardRecord();
    const { page } = await opened({
      'quick.json': boardRecord({ settings: { ...settings, quick: true } }),
      'cut.json': studyRecord({ ended: 'interrupted' }),
    });
    assert.ok((await page.locator('#board-v24-1-0').getByText('a short run: R').count()) > 0);
    assert.ok((await page.locator('#published-echo').getByText('incomplete: R').count()) > 0);
    assert.ok((await page.locator('#study-echo-v24-1-0').getByText('incomplete: R').count()) > 0);
  });
});
