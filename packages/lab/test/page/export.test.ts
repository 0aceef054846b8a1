import assert = require('node:assert/strict');
import { describe, test } from 'node:test';
import type { Sample, Setup } from '../../client/src/logic/contract.js';
import { toCsv, toJson, toRecord, type Run } from '../../client/src/logic/export.js';
import { readBrowserRun } from '../../src/crud/browser-record.js';

const samples: readonly Sample[] = [
  { contestant: 'Express 5', shape: 'string', verb: 'POST', repetition: 0, clientMs: 1.25, serverMs: 0.875 },
  { contestant: 'Nonstop', shape: 'string', verb: 'GET', repetition: 1, clientMs: 1, serverMs: 0.5 },
];

const run: Run = {
  started: '2026-01-02T03:04:05.678Z',
  ended: 'interrupted',
  choice: {
    contestants: ['Express 5', 'Nonstop'],
    shapes: ['string'],
    verbs: ['POST', 'GET'],
    repetitions: 2,
    warmup: 1,
  },
  samples,
  failures: ['GET string at Nonstop: status 500 instead of 200'],
  browser: { agent: 'A browser', clockStepMs: 0.1, wasHidden: false },
};

const setup: Setup = {
  database: { label: 'FerretDB (SQLite)' },
  machine: { processor: 'A processor', cores: 2 },
  versions: { lab: 'v20.19.0' },
  repetitions: 100,
  contestants: ['Express 5', 'Hapi', 'Nonstop'].map((name) => ({
    name,
    version: '1.0.0',
    origin: 'http://127.0.0.1:1',
  })),
  shapes: [{ name: 'string', title: 'String', record: { value: 'a body that is not exported' } }],
  verbs: ['POST', 'GET'],
  published: [],
};

describe('an export as CSV', () => {
  test('has a header and a line for each sample', () => {
    assert.equal(
      toCsv(samples),
      'contestant,shape,verb,repetition,clientMs,serverMs\r\n' +
        'Express 5,string,POST,0,1.25,0.875\r\n' +
        'Nonstop,string,GET,1,1,0.5\r\n',
    );
  });

  test('quotes characters that would end a cell or a line', () => {
    const [, line] = toCsv([{ ...samples[0], contestant: 'a "b", c\nd' }]).split('\r\n');
    assert.equal(line, '"a ""b"", c\nd",string,POST,0,1.25,0.875');
  });

  test('turns a formula into text', () => {
    const [, line] = toCsv([{ ...samples[0], contestant: '=1+1' }]).split('\r\n');
    assert.equal(line, "'=1+1,string,POST,0,1.25,0.875");
  });
});

describe('an export as JSON', () => {
  test('has the run, its machine and its contestants', () => {
    const exported = JSON.parse(toJson(run, setup));
    assert.deepEqual(exported.samples, samples);
    assert.deepEqual(exported.choice, run.choice);
    assert.deepEqual(exported.failures, run.failures);
    assert.deepEqual(exported.machine, setup.machine);
    assert.equal(exported.ended, 'interrupted');
    assert.deepEqual(
      exported.contestants.map(({ name }: { name: string }) => name),
      ['Express 5', 'Nonstop'],
    );
  });

  test('leaves out what was sent', () => assert.doesNotMatch(toJson(run, setup), /not exported/));
});

describe('what is sent to the lab’s records', () => {
  test('has the form that the coordinator reads, with the whole choice', () => {
    const sent = JSON.parse(JSON.stringify(toRecord(run)));
    const read = readBrowserRun(sent, ['Express 5', 'Nonstop']);
    assert.deepEqual(read.samples, samples);
    assert.equal(read.ended, 'interrupted');
    const { started, failures, browser, choice } = run;
    assert.deepEqual(read.settings, { ...choice, started, failures, browser });
  });
});
