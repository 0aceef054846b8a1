import assert = require('node:assert/strict');
import fs = require('node:fs');
import path = require('node:path');
import { after, before, describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import type { Setup } from '../../client/src/logic/contract.js';
import type { BrowserRecord } from '../../src/crud/browser-record.js';
import { canHaveFerretDb } from '../../src/crud/build-ferretdb.js';
import { serveCrud, type Served } from '../../src/crud/serve.js';
import { noChromium, openPage, type WatchedPage } from '../../../nonstop/test/support/chromium.js';
import { folder } from '../../../nonstop/test/support/folder.js';

// The tests must not use a developer's database.
delete process.env['MONGODB_URL'];

const noDatabase =
  process.env['CI'] === 'true' || canHaveFerretDb() ? false : 'Go is not installed, which builds the database';

type PageOptions = Parameters<typeof openPage>[0];

interface Choice {
  readonly contestants: readonly string[];
  readonly shapes: readonly string[];
  readonly verbs?: readonly string[];
  readonly repetitions: number;
}

describe('the page of the record study', { skip: noChromium || noDatabase }, () => {
  let served: Served;
  let results: string;

  before(async () => {
    results = folder({});
    served = await serveCrud({ contestants: ['Express 5', 'Hapi', 'Nonstop'], results });
  });
  after(() => served?.close());

  async function opened(options?: PageOptions): Promise<WatchedPage> {
    const watched = await openPage({ viewport: { width: 1280, height: 900 }, ...options });
    // A short time limit; the error names what was missing.
    watched.page.setDefaultTimeout(60_000);
    await watched.page.goto(served.url);
    await watched.page.getByRole('button', { name: 'Start' }).waitFor();
    return watched;
  }

  async function choose(page: Page, { contestants, shapes, verbs, repetitions }: Choice): Promise<void> {
    const only = async (group: string, names: readonly string[]): Promise<void> => {
      const options = page.getByRole('group', { name: group }).getByRole('listitem');
      for (const option of await options.all()) {
        const label = await option.locator('.label').innerText();
        await option.getByRole('checkbox').setChecked(names.some((name) => label.startsWith(name)));
      }
    };
    await only('Contestants', contestants);
    await only('Record shapes', shapes);
    if (verbs !== undefined) await only('Verbs', verbs);
    await page.getByLabel('Repetitions').fill(String(repetitions));
    await page.getByLabel('Warm-up').fill('1');
  }

  async function originOf(contestant: string): Promise<string> {
    const setup = (await (await fetch(`${served.url}api/setup`)).json()) as Setup;
    const found = setup.contestants.find(({ name }) => name === contestant);
    assert.ok(found);
    return found.origin;
  }

  async function start(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Start' }).click();
  }

  const done = (page: Page, samples: number): Promise<void> => page.getByText(`Done: ${samples} samples`).waitFor();

  const bars = (page: Page): Promise<string[]> =>
    page.evaluate<string[]>("[...document.querySelectorAll('.chart .bar')].map((one) => one.dataset.count)");

  describe('from the first choice to the record', () => {
    const choice: Choice = { contestants: ['Express 5', 'Hapi'], shapes: ['String'], repetitions: 3 };
    let watched: WatchedPage;
    let page: Page;

    before(async () => {
      watched = await opened();
      ({ page } = watched);
    });

    test('it shows where it runs', async () => {
      await page.getByText('FerretDB (SQLite)', { exact: true }).waitFor();
      assert.equal(await page.getByRole('checkbox').count(), 3 + 4 + 4);
      assert.equal(await page.getByLabel('Repetitions').inputValue(), '100');
    });

    test('an empty choice is reported at its place, and gets the focus', async () => {
      const contestants = page.getByRole('group', { name: 'Contestants' });
      await contestants.getByRole('button', { name: 'none' }).click();
      await page.getByLabel('Repetitions').fill('0');
      await start(page);
      assert.deepEqual(await page.getByRole('alert').allInnerTexts(), [
        'Choose at least one contestant.',
        'Repetitions: a whole number from 1 to 1,000.',
      ]);
      const focused = "document.activeElement.closest('[data-field]').dataset.field";
      assert.equal(await page.evaluate(focused), 'contestants');
      await contestants.getByRole('button', { name: 'all' }).click();
    });

    test('it measures the choice, and every bar and line shows its samples', async () => {
      await choose(page, choice);
      await page.getByText('24 requests will be timed').waitFor();
      await start(page);
      await done(page, 24);
      await page.getByText('Every answer was the right one.').waitFor();
      assert.deepEqual(
        await bars(page),
        Array.from({ length: 8 }, () => '3'),
      );
      const lines = page.getByRole('table', { name: 'Times of a request' }).getByRole('row');
      const [, , shape, ...rows] = await lines.allInnerTexts();
      assert.equal(shape.trim(), 'String of 1000 characters');
      assert.deepEqual(
        rows.map((row) =>
          row
            .split('\t')
            .slice(0, 3)
            .map((cell) => cell.trim()),
        ),
        ['POST', 'GET', 'PUT', 'DELETE'].flatMap((verb) => choice.contestants.map((name) => [verb, name, '3'])),
      );
    });

    test('it shows both clocks, and published beside measured results', async () => {
      await page.getByLabel('Both').check();
      assert.equal((await bars(page)).length, 16);
      await page.getByLabel('Server').check();
      assert.equal((await bars(page)).length, 8);
      const paper = page.getByRole('figure', { name: 'Beside the paper' });
      assert.equal(await paper.locator('svg[role=img] .band').count(), 1);
      assert.equal(await paper.locator('svg[role=img] .verb-mark').count(), 4 + 1);
      const table = page.getByRole('table', { name: 'beside what the paper published' });
      assert.match(await table.innerText(), /published: 14–20 % faster/);
    });

    test('it has the precise clock, and so has each frame', async () => {
      const isolated = page.frames().map((frame) => frame.evaluate('crossOriginIsolated'));
      assert.deepEqual(await Promise.all(isolated), [true, true, true]);
    });

    test('it exports the samples', async () => {
      const csv = (await exported(page, 'Export CSV')).split('\r\n');
      assert.equal(csv.length, 1 + 24 + 1);
      const json = JSON.parse(await exported(page, 'Export JSON'));
      assert.equal(json.samples.length, 24);
      assert.equal(json.ended, 'complete');
      assert.ok(json.samples.every(({ clientMs, serverMs }: Sample) => clientMs > 0 && serverMs > 0));
      assert.deepEqual(json.failures, []);
    });

    test('it saves them among the lab’s records', async () => {
      await page.getByRole('button', { name: 'Save to the lab’s records' }).click();
      await page.getByText(/^Saved as /).waitFor();
      const [name, ...others] = fs.readdirSync(results);
      assert.match(name, /-crud-browser\.json$/);
      assert.deepEqual(others, []);
      const record: BrowserRecord = JSON.parse(fs.readFileSync(path.join(results, name), 'utf8'));
      assert.equal(record.samples.length, 24);
      assert.deepEqual([record.ended, record.database], ['complete', 'FerretDB (SQLite)']);
    });

    test('after a reload it still knows that they are saved', async () => {
      await page.reload();
      await page.getByText('24 samples, saved').waitFor();
    });

    test('an invalid number is reported at once', async () => {
      await page.getByLabel('Repetitions').fill('-3');
      await page.locator('.problem').getByText('Repetitions: a whole number from 1 to 1,000.').waitFor();
      await page.locator('.go').getByText('Nothing can be timed yet. Repetitions: a whole number from 1 to').waitFor();
    });

    test('what is missing stands beside the button before it is pressed', async () => {
      await page.getByLabel('Repetitions').fill('');
      const beside = page.locator('.go').getByText('Nothing can be timed yet. Repetitions: a whole number from 1 to');
      await beside.waitFor();
      assert.equal(await page.locator('.problem').count(), 0);
      await page.getByLabel('Repetitions').fill('1');
      await page.locator('.go').getByText('requests will be timed').waitFor();
    });

    test('the bar with the start button covers no field', async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      const covered = await page.evaluate<boolean>(`(() => {
        const field = document.querySelector('[data-field=warmup] input');
        field.scrollIntoView({ block: 'end' });
        const { left, bottom, width } = field.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, bottom - 4) !== field;
      })()`);
      assert.equal(covered, false);
    });

    test('it creates the record for GET and removes it afterwards, and times neither', async () => {
      const before = watched.requested.length;
      await choose(page, { ...choice, contestants: ['Hapi'], verbs: ['GET'], repetitions: 2 });
      await start(page);
      await done(page, 2);
      // In each of three rounds, including the warm-up: create, read, remove.
      const asked = watched.requested.slice(before).filter((address) => address.includes('/string'));
      assert.equal(asked.length, 9);
      assert.deepEqual(await bars(page), ['2']);
    });

    test('a new run asks before it replaces unsaved samples', async () => {
      await start(page);
      await page.getByText('2 samples are not saved.').waitFor();
      assert.deepEqual(await bars(page), ['2']);
      await page.getByRole('button', { name: 'Start anyway' }).click();
      await done(page, 2);
    });

    test('the console has no errors, and all requests went to the loopback address', () => {
      assert.deepEqual(watched.problems, []);
      const hosts = new Set(
        watched.requested
          .filter((address) => /^(?!data:|blob:)/.test(address))
          .map((address) => new URL(address).hostname),
      );
      assert.deepEqual([...hosts], ['127.0.0.1']);
    });

    test('on a phone in dark mode it keeps the samples, has dark colours and fits the width', async () => {
      const storageState = await page.context().storageState();
      const colours = `['html', '.card', '.chart .bar'].map((name) => {
        const style = getComputedStyle(document.querySelector(name));
        return [style.backgroundColor, style.color].join();
      })`;
      const light = await page.evaluate<string[]>(colours);
      const phone = await opened({ viewport: { width: 360, height: 740 }, colorScheme: 'dark', storageState });
      await phone.page.getByText('From your last visit: 2 samples').waitFor();
      assert.deepEqual(await bars(phone.page), ['2']);
      assert.equal(await phone.page.evaluate('document.documentElement.scrollWidth'), 360);
      assert.deepEqual(await phone.page.evaluate(tooWide), []);
      const dark = await phone.page.evaluate<string[]>(colours);
      for (const [place, colour] of dark.entries()) assert.notEqual(colour, light[place]);
      assert.deepEqual(phone.problems, []);
    });
  });

  describe('when a part fails', () => {
    const choice: Choice = {
      contestants: ['Express 5', 'Nonstop'],
      shapes: ['String'],
      verbs: ['POST', 'GET'],
      repetitions: 2,
    };

    test('a missing database pauses the run, which resumes where it stopped', async () => {
      const { page } = await opened();
      await choose(page, choice);
      let asked = 0;
      const failing = async (route: Route): Promise<void> => {
        asked += 1;
        // After the warm-up and the first samples.
        if (asked > 10) await route.fulfill({ status: 503, json: { error: 'the database does not answer' } });
        else await route.continue();
      };
      await page.route(/\/string/, failing);
      await page.route('**/api/health', (route) =>
        route.fulfill({ json: { database: asked <= 10, contestants: { 'Express 5': true, Nonstop: true } } }),
      );
      await start(page);
      await page.getByRole('alert').getByText('The database does not answer').waitFor();
      const finished = await samplesIn(page);
      assert.ok(finished > 0 && finished < 8, String(finished));
      await page.unroute(/\/string/, failing);
      await page.unroute('**/api/health');
      await page.getByRole('button', { name: 'Go on' }).click();
      await done(page, 8);
      assert.deepEqual(await bars(page), ['2', '2', '2', '2']);
    });

    test('a contestant that has ended is named, and the others continue', async () => {
      const { page } = await opened();
      await choose(page, choice);
      const nonstop = await originOf('Nonstop');
      let asked = 0;
      await page.route(new RegExp(`^${nonstop}/string`), async (route) => {
        asked += 1;
        await (asked > 4 ? route.abort() : route.continue());
      });
      await page.route('**/api/health', (route) =>
        route.fulfill({ json: { database: true, contestants: { 'Express 5': true, Nonstop: asked <= 4 } } }),
      );
      await start(page);
      await page.getByRole('alert').getByText('Nonstop takes part no longer').waitFor();
      await page.getByText(/^Done: /).waitFor();
      const counts = await bars(page);
      assert.deepEqual([counts[0], counts[2]], ['2', '2']);
      assert.ok(Number(await samplesIn(page)) < 8);
    });

    test('a wrong answer is not a sample, and its contestant is removed', async () => {
      const { page } = await opened();
      await choose(page, { ...choice, repetitions: 4 });
      const nonstop = await originOf('Nonstop');
      await page.route(new RegExp(`^${nonstop}/string/`), async (route) => {
        if (route.request().method() === 'GET') {
          const headers = { 'server-timing': 'app;dur=0.001' };
          await route.fulfill({ headers, json: { id: 'a', value: 'something short' } });
        } else await route.continue();
      });
      await start(page);
      await page.getByText('GET string at Nonstop: not the record. The others go on').waitFor();
      await page.getByText('4 failures are in the export').waitFor();
      // Nonstop's correct answers before the third wrong one; one of the three rounds is the warm-up.
      assert.deepEqual(await bars(page), ['4', '2', '4']);
    });

    test('after the end of the lab the samples can be exported, and are there on the next visit', async () => {
      const { page } = await opened();
      await choose(page, { ...choice, repetitions: 1000 });
      await start(page);
      await page.locator('.chart .bar').first().waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText(/^Stopped after/).waitFor();
      const finished = await samplesIn(page);
      await page.route('**/api/**', (route) => route.abort());
      await page.getByRole('button', { name: 'Save to the lab’s records' }).click();
      await page.getByText('Not saved. The lab does not answer; export the samples instead.').waitFor();
      assert.equal(JSON.parse(await exported(page, 'Export JSON')).samples.length, finished);
      await page.reload();
      await page.getByRole('alert').getByText('The lab does not answer').waitFor();
      await page.unroute('**/api/**');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(/^From your last visit: /).waitFor();
      assert.equal(await samplesIn(page), finished);
    });
  });
});

interface Sample {
  readonly clientMs: number;
  readonly serverMs: number;
}

/** Elements that are wider than the page and not in a box that scrolls. */
const tooWide = `[...document.querySelectorAll('body *')]
  .filter((one) => !one.closest('.scroll, .out-of-sight, .runner'))
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5)
  .map((one) => one.outerHTML.slice(0, 200))`;

/** The samples in the table. */
async function samplesIn(page: Page): Promise<number> {
  const cells = await page.locator('table.times tbody tr td:nth-child(3)').allInnerTexts();
  return cells.reduce((sum, cell) => sum + Number(cell), 0);
}

async function exported(page: Page, button: string): Promise<string> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return fs.readFileSync(await (await coming).path(), 'utf8');
}
