import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import path = require('node:path');
import { test } from 'node:test';
import { promisify } from 'node:util';
import { compiled } from '../support/paths.js';
import { subject } from '../support/subject.js';

// What agents that record bodies see: they replace methods of node's, on one request or on the prototype. Each case runs in
// its own process, because the prototypes belong to the process.

const PROGRAM = compiled('test/parity/fixtures/watching.js');
const OURS = path.join(subject, 'index.js');

const METHODS = ['on', 'emit', 'push', 'read', '_read', 'resume', 'removeListener'];
const HOLDERS = ['request', 'express', 'IncomingMessage', 'Readable', 'EventEmitter'];

const seen = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [PROGRAM, ...args])).stdout;

for (const holder of HOLDERS) {
  for (const when of holder === 'request' || holder === 'express' ? ['later'] : ['before', 'later']) {
    test(`methods of ${holder} that were replaced ${when} see the same of a body as on Express`, async () => {
      const args = [holder, when, METHODS.join()];
      const expected = await seen(require.resolve('express'), 'node', ...args);
      assert.match(expected, /"(on|emit|push):?data|"push:/);
      assert.equal(await seen(OURS, 'engine', ...args), expected);
    });
  }
}
