import assert = require('node:assert/strict');
import fs = require('node:fs');
import path = require('node:path');
import { describe, test } from 'node:test';
import { barChart } from '../src/report/bars.js';
import { choose, type View } from '../src/report/choose.js';
import { element, html } from '../src/report/html.js';
import { grounds, lookOf, tones } from '../src/report/palette.js';
import { page } from '../src/report/page.js';
import { readRecords } from '../src/report/read.js';
import { report } from '../src/report/report.js';
import { writeCurves } from '../src/report/pictures.js';
import { apart, fromZero, logarithmic } from '../src/report/scales.js';
import { bytes, short, tick } from '../src/report/words.js';
import { contestants } from '../src/study/contestants.js';
import type { BenchRecord, RunRecord } from '../src/record.js';
import { folder } from '../../nonstop/test/support/folder.js';
import { seeded } from '../../nonstop/test/support/seeded.js';
import {
  boardRecord,
  browserRecord,
  crudRecord,
  emptyRecord,
  sample,
  scaleRecord,
  studyRecord,
} from './fixtures/records.js';

describe('the answer about a board', () => {
  const lineOf = (record: object): string => {
    const text = page(readRecords(folder({ 'a.json': JSON.stringify(record) })), new Date(0));
    return (/>Board, Node [^]*?<\/li>/.exec(text)?.[0] ?? '').replaceAll(/\s+/g, ' ');
  };
  const record = boardRecord();

  test('has shares and verdicts', () => {
    const line = lineOf(record);
    assert.match(line, /CPU time per request, as a median, is <b>0\.86<\/b> of node:http’s \(hello\)\./);
    assert.match(line, /1 of 2 budgets missed: hello\. <\/li>$/);
  });

  test('has none of a single round', () => {
    const verdicts = record.verdicts.map((one) =>
      one.measured === undefined ? one : { ...one, verdict: 'too few rounds' as const },
    );
    const samples = record.samples.filter(({ round }) => round === 0);
    assert.match(
      lineOf({ ...record, samples, verdicts }),
      /^>Board, Node v24\.1\.0<\/a>: No budget is judged\. <\/li>$/,
    );
  });

  test('counts the rows that have no budget', () => {
    const slow = [0, 1].flatMap((round) => [
      sample('view', 'node:http', { round, cpu: 10 }),
      sample('view', 'Nonstop', { round, cpu: 12 }),
    ]);
    assert.match(
      lineOf({ ...record, samples: [...record.samples, ...slow] }),
      /is <b>1\.03<\/b> of node:http’s \(2 rows; most in view: 1\.20\)/,
    );
  });

  test('says how many budgets are uncertain', () => {
    const verdicts = record.verdicts.map((one) => ({
      ...one,
      lowest: 0.3,
      highest: 0.6,
      verdict: 'uncertain' as const,
    }));
    assert.match(
      lineOf({ ...record, verdicts }),
      /No budget is missed\. 3 uncertain: within the budget by the median, not by the spread\. <\/li>$/,
    );
  });
});

describe('a value in a template', () => {
  test('is escaped for text and for attributes, also in lists', () => {
    const hostile = `<b title="x" id='y'>&`;
    const markup = html`<p class="${hostile}">${[hostile, [hostile]]}</p>`.toString();
    const escaped = '&lt;b title=&quot;x&quot; id=&#39;y&#39;&gt;&amp;';
    assert.equal(markup, `<p class="${escaped}">${escaped}${escaped}</p>`);
    assert.equal(element('g', { id: hostile }, hostile).toString(), `<g id="${escaped}">${escaped}</g>`);
  });

  test('is unchanged if it is a template itself, and empty if it is undefined', () => {
    assert.equal(html`<i>${html`<b>${1}</b>`}${undefined}</i>`.toString(), '<i><b>1</b></i>');
  });

  test('loses its control characters', () => {
    assert.equal(html`${'a\u0000\u001B[31mb\n\tc'}`.toString(), 'a\uFFFD\uFFFD[31mb\n\tc');
  });
});

describe('an axis from zero', () => {
  const cases: readonly (readonly [most: number, ticks: number[]])[] = [
    [77, [0, 20, 40, 60, 80]],
    [1, [0, 0.25, 0.5, 0.75, 1]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [43_210, [0, 20_000, 40_000, 60_000]],
    [0, [0, 0.25, 0.5, 0.75, 1]],
  ];
  for (const [most, ticks] of cases) {
    test(`to ${most} has the ticks ${ticks.join(', ')}`, () => {
      const scale = fromZero(most, { from: 10, to: 110 });
      assert.deepEqual(scale.ticks, ticks);
      assert.equal(scale.at(0), 10);
      assert.equal(scale.at(ticks.at(-1) ?? 0), 110);
      assert.ok(scale.at(most) <= 110);
    });
  }
});

describe('a logarithmic axis', () => {
  const room = { from: 0, to: 100 };

  test('has equal steps for equal factors', () => {
    const { at, ticks, zero } = logarithmic([1, 10, 10_000], room);
    assert.deepEqual([at(1), at(100), at(10_000)], [0, 50, 100]);
    assert.deepEqual(ticks, [1, 10, 100, 1000, 10_000]);
    assert.equal(zero, false);
  });

  test('has more ticks where it is short', () => {
    assert.deepEqual(logarithmic([20, 90], room).ticks, [20, 30, 40, 50, 60, 70, 80, 90]);
    assert.deepEqual(logarithmic([0.9, 60], room).ticks, [1, 3, 10, 30]);
  });

  test('has a separate place for zero', () => {
    const { at, ticks, zero } = logarithmic([0, 1, 100], room);
    assert.equal(zero, true);
    assert.equal(at(0), 0);
    assert.ok(at(1) > 10);
    assert.equal(at(100), 100);
    assert.equal(ticks[0], 0);
  });

  test('has a single value in its middle', () => assert.equal(logarithmic([7], room).at(7), 50));

  for (const values of [[], [0], [-1, 2], [Number.NaN]]) {
    test(`refuses [${values.join(', ')}]`, () => assert.throws(() => logarithmic(values, room), RangeError));
  }
});

test('labels that would cover each other are moved apart, in their order and within the room', () => {
  assert.deepEqual(apart([50, 51, 90], 10, { from: 0, to: 100 }), [50, 60, 90]);
  assert.deepEqual(apart([99, 98], 10, { from: 0, to: 100 }), [100, 90]);
});

test('a line across the bars leaves out the headings between them', () => {
  const bar = { name: 'a', tone: 'pass', value: 1, text: '1' };
  const bars = [
    { ...bar, heading: 'first' },
    bar,
    { ...bar, heading: 'a heading that is wide enough to reach the line' },
  ];
  const drawing = barChart({ title: 'a', axis: 'b', bars, reference: { at: 1, label: 'budget' } }).toString();
  const [, line = ''] = /class="reference" d="([^"]+)"/.exec(drawing) ?? [];
  const pieces = [...line.matchAll(/M[\d.]+ ([\d.]+)V([\d.]+)/g)].map(([, from, to]) => [Number(from), Number(to)]);
  const headings = [...drawing.matchAll(/<text class="heading" x="0" y="([\d.]+)"/g)].map(([, y]) => Number(y));
  assert.equal(headings.length, 2);
  // The baseline of a heading; its letters are up to 12 units high.
  for (const y of headings)
    assert.ok(!pieces.some(([from, to]) => from < y && to > y - 12), `${y} is crossed: ${line}`);
});

describe('formatted numbers', () => {
  const cases: readonly (readonly [value: number, asText: string, asTick: string, asBytes: string])[] = [
    [0, '0', '0', '0 B'],
    [0.0421, '0.042', '0.042', '0.042 B'],
    [2, '2.00', '2', '2 B'],
    [99.97, '100', '100', '100 B'],
    [1234.5, '1,235', '1,235', '1.23 KB'],
    [20_000, '20.0k', '20k', '20 KB'],
    [2_345_678, '2.35M', '2.35M', '2.35 MB'],
  ];
  for (const [value, ...texts] of cases) {
    test(`${value} is ${texts.join(' or ')}`, () => assert.deepEqual([short(value), tick(value), bytes(value)], texts));
  }
});

describe('the colours', () => {
  const light = (colour: string): number => {
    const [red, green, blue] = [1, 3, 5].map((place) => {
      const value = Number.parseInt(colour.slice(place, place + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a: string, b: string): number =>
    (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);

  for (const [theme, index] of [
    ['light', 0],
    ['dark', 1],
  ] as const) {
    test(`have enough contrast on the ${theme} ground: 4.5 to 1 for text, 3 to 1 for shapes`, () => {
      for (const ground of [grounds.ground[index], grounds.raised[index]]) {
        for (const words of [grounds.ink, grounds.soft, grounds.link, tones['pass'], tones['miss']]) {
          assert.ok(contrast(words[index], ground) >= 4.5, `${words[index]} on ${ground}`);
        }
        for (const tone of Object.values(tones)) {
          assert.ok(contrast(tone[index], ground) >= 3, `${tone[index]} on ${ground}`);
        }
      }
    });
  }

  test('are always the same for a contestant, known or not', () => {
    assert.deepEqual(
      Object.keys(contestants).filter((name) => lookOf(name).tone.startsWith('other')),
      [],
      'a contestant of the studies has no colour of its own',
    );
    const known = Object.keys(contestants);
    assert.equal(new Set(known.map((name) => lookOf(name).tone)).size, known.length);
    for (const name of [...known, 'Nonstop, one route', 'something else', 'constructor', '']) {
      assert.deepEqual(lookOf(name), lookOf(name));
      assert.ok(lookOf(name).tone in tones, name);
    }
  });
});

const json = (record: unknown): string => JSON.stringify(record);

describe('a folder of records', () => {
  test('is read in the order of their starts', () => {
    const later = emptyRecord('board', { started: '2026-02-01T00:00:00.000Z' });
    const results = folder({ 'a.json': json(later), 'b.json': json(emptyRecord('board')), 'report.html': '' });
    const { records, skipped } = readRecords(results);
    assert.deepEqual(
      records.map(({ file }) => file),
      ['b.json', 'a.json'],
    );
    assert.deepEqual(skipped, []);
  });

  const foreign: readonly (readonly [what: string, content: string, problem: RegExp])[] = [
    ['what is not JSON', '{"kind":', /^x\.json is skipped: it is not JSON$/],
    [
      'a run of workers',
      JSON.stringify({ ...emptyRecord('workers'), generator: undefined }),
      /^x\.json is skipped: the page has no part for npm run lab -- workers, which prints all it has$/,
    ],
    ['an empty file', '', /it is not JSON/],
    ['a list', '[]', /not a record of the lab \(is not an object\)/],
    ['null', 'null', /not a record of the lab/],
    ['another object', '{"name":"x"}', /\(kind is not a text\)/],
    ['an invalid time', json(emptyRecord('board', { started: 'soon' })), /\(started is not a time\)/],
    [
      'a sample whose figure is missing',
      json(emptyRecord('board', { samples: [sample('hello', 'Nonstop', { cpu: Number.NaN })] })),
      /\(samples\[0\]\.cpu is not a number\)/,
    ],
    [
      'a sample below zero',
      json(emptyRecord('board', { samples: [sample('hello', 'Nonstop', { requests: -1 })] })),
      /\(samples\[0\]\.requests is below zero\)/,
    ],
    ['another end', json({ ...emptyRecord('board'), ended: 'nicely' }), /\(ended is not one of running, complete/],
    [
      'a request of the record study without a time',
      json(crudRecord({ samples: [{ ...crudRecord().samples[0], clientMs: Number.NaN }] })),
      /\(samples\[0\]\.clientMs is not a number\)/,
    ],
    ['invalid verdicts', json({ ...boardRecord(), verdicts: [{}] }), /\(verdicts\[0\]\.row is not a text\)/],
  ];
  for (const [what, content, problem] of foreign) {
    test(`without ${what}: it is named in one line`, () => {
      const { records, skipped } = readRecords(folder({ 'x.json': content, 'good.json': json(boardRecord()) }));
      assert.deepEqual(
        records.map(({ file }) => file),
        ['good.json'],
      );
      assert.equal(skipped.length, 1);
      assert.match(skipped[0], problem);
      assert.ok(!skipped[0].includes('\n'));
    });
  }
});

/** Places in an object to change: all properties, and the first two entries of lists. */
function places(value: unknown, above: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? Object.keys(value).slice(0, 2) : Object.keys(value);
  return keys.flatMap((key) => [[...above, key], ...places((value as Record<string, unknown>)[key], [...above, key])]);
}

describe('a curve as a picture of its own', () => {
  test('is a whole SVG file with its colours, named by the curve and the Node', () => {
    const pictures = folder({});
    const names = writeCurves(readRecords(folder({ 'a.json': json(scaleRecord()) })), pictures);
    assert.ok(names.includes('middleware-24.svg'), names.join());
    assert.deepEqual(fs.readdirSync(pictures).sort(), names.toSorted());
    const text = fs.readFileSync(path.join(pictures, 'middleware-24.svg'), 'utf8');
    assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+">\s*<style>.*--ground:/s);
    assert.match(text, /<title>.*middleware.*<\/title>/i);
    assert.match(text, /<rect width="100%" height="100%" style="fill: var\(--ground\)"/);
  });

  test('stays in its folder, whatever the Node of its record', () => {
    const place = folder({});
    const record = scaleRecord();
    const samples = record.samples.map((one) => ({ ...one, node: 'x/../../outside' }));
    writeCurves(readRecords(folder({ 'a.json': json({ ...record, samples }) })), path.join(place, 'pictures'));
    assert.deepEqual(fs.readdirSync(place), ['pictures']);
    assert.ok(fs.readdirSync(path.join(place, 'pictures')).includes('middleware-x-outside.svg'));
  });

  test('is refused without a record of curves', () => {
    const reading = readRecords(folder({ 'a.json': json(boardRecord()) }));
    assert.throws(() => writeCurves(reading, folder({})), /no curve to draw/);
  });
});

describe('a record with one changed value', () => {
  const app = { ...emptyRecord('app', { samples: [sample('GET /', 'Nonstop')] }), file: 'app.js', verdict: 'none' };
  const records = [boardRecord(), studyRecord(), scaleRecord(), crudRecord(), browserRecord(), app];
  const values = [null, undefined, -1, 0, 5e-324, 1e308, '', 'constructor', true, [], {}];
  for (const record of records) {
    test(`${record.kind}: it is skipped, or shown without a gap`, () => {
      const random = seeded(7);
      const results = folder({});
      const all = places(JSON.parse(json(record))).flatMap((place) => values.map((value) => ({ place, value })));
      // A sample of the thousands of possible changes.
      for (const { place, value } of all.filter(() => random.chance(60 / all.length))) {
        const changed = JSON.parse(json(record)) as Record<string, unknown>;
        const parent = place.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, changed);
        parent[place.at(-1) ?? ''] = value;
        fs.writeFileSync(path.join(results, 'x.json'), json(changed));
        const reading = readRecords(results);
        const text = reading.records.length === 0 ? '' : page(reading, new Date(0)).replace(/<style>[^]*<\/style>/, '');
        assert.doesNotMatch(text, /NaN|Infinity|undefined|\[object/, `${place.join('.')} = ${json(value)}`);
      }
    });
  }
});

describe('the records that are shown', () => {
  const at = (day: number, record: RunRecord, change: Partial<BenchRecord> = {}) => {
    const started = `2026-01-0${day}T00:00:00.000Z`;
    return { file: `day${day}`, record: { ...record, started, ...change } };
  };
  const names = (views: readonly View[]): string[] =>
    views.map(({ stored, subject, node }) => `${stored.file} ${subject} ${node}`).sort();

  test('are the newest of each kind, and the others are named', () => {
    const { views, left } = choose([at(1, studyRecord()), at(2, studyRecord())]);
    assert.deepEqual(names(views), ['day2 echo v24.1.0']);
    assert.deepEqual(
      left.map(({ stored, reason }) => [stored.file, reason]),
      [['day1', 'there is a newer one']],
    );
  });

  test('are the newest complete ones, or an incomplete one if there is no other', () => {
    const cut = at(2, studyRecord(), { ended: 'interrupted' });
    const { views, left } = choose([at(1, studyRecord()), cut]);
    assert.deepEqual(names(views), ['day1 echo v24.1.0']);
    assert.equal(left[0].reason, 'interrupted');
    assert.deepEqual(names(choose([cut]).views), ['day2 echo v24.1.0']);
  });

  test('include a short run only if there is no other', () => {
    const { settings } = studyRecord();
    const quick = at(2, studyRecord(), { settings: { ...settings, quick: true } });
    const { views, left } = choose([at(1, studyRecord()), quick]);
    assert.deepEqual(names(views), ['day1 echo v24.1.0']);
    assert.equal(left[0].reason, 'a short run');
  });

  test('give each workload of the board from the newest that has it', () => {
    const { views } = choose([at(1, boardRecord()), at(2, boardRecord({ figures: [] }))]);
    assert.deepEqual(names(views), ['day1 installed v24.1.0', 'day2 hello v24.1.0']);
  });

  test('give each Node separately, and a comparison of commits beside the board', () => {
    const other = boardRecord({ samples: [sample('hello', 'Nonstop', { node: 'v20.19.0' })], figures: [] });
    const commits = { ...boardRecord({ figures: [] }), base: 'abc' };
    assert.deepEqual(names(choose([at(1, boardRecord({ figures: [] })), at(2, other), at(3, commits)]).views), [
      'day1 hello v24.1.0',
      'day2 hello v20.19.0',
      'day3 hello v24.1.0',
    ]);
  });

  test('give the record study from the lab and from a browser separately', () => {
    assert.deepEqual(names(choose([at(1, crudRecord()), at(2, browserRecord()), at(3, crudRecord())]).views), [
      'day2 crud v24.1.0',
      'day3 crud v24.1.0',
    ]);
  });

  test('do not include a record without samples', () => {
    const { views, left } = choose([at(1, emptyRecord('board'))]);
    assert.deepEqual([views, left.map(({ reason }) => reason)], [[], ['nothing was measured']]);
  });
});

describe('the report', () => {
  const make = (files: Record<string, string>, name = 'report.html') => {
    const results = folder(files);
    const out = path.join(results, name);
    const printed: string[] = [];
    const run = (): void => report({ results, out, print: (line) => printed.push(line) });
    return { results, out, printed, run };
  };

  test('is written, and its path is printed after what was skipped', () => {
    const { out, printed, run, results } = make({ 'a.json': json(studyRecord()), 'b.json': '{' }, 'deep/er/page.html');
    run();
    assert.deepEqual(printed, ['b.json is skipped: it is not JSON', `Report of 1 record: ${out}`]);
    assert.match(fs.readFileSync(out, 'utf8'), /^<!doctype html>/);
    assert.deepEqual(fs.readdirSync(path.join(results, 'deep/er')), ['page.html']);
  });

  test('of no records is an error that says how to make one, and writes nothing', () => {
    const { results, run } = make({ 'b.json': '{' });
    assert.throws(run, /^Error: There are no records in \S+\. 'npm run lab -- board'.* makes some\.$/);
    assert.deepEqual(fs.readdirSync(results), ['b.json']);
  });

  test('of a missing folder is an error, too', () => {
    const { results } = make({});
    const gone = path.join(results, 'gone');
    const run = (): void => report({ results: gone, out: path.join(gone, 'x.html'), print: () => undefined });
    assert.throws(run, /There are no records in/);
    assert.equal(fs.existsSync(gone), false);
  });

  test('that cannot be written is an error of one line and leaves nothing behind', () => {
    const { results, run } = make({ 'a.json': json(studyRecord()), 'report.html/': '' });
    assert.throws(run, /report\.html cannot be written \(EISDIR\)$/);
    assert.deepEqual(fs.readdirSync(results).sort(), ['a.json', 'report.html']);
  });
});
