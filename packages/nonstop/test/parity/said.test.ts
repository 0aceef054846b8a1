import assert = require('node:assert/strict');
import { execFile } from 'node:child_process';
import path = require('node:path');
import { test } from 'node:test';
import { promisify } from 'node:util';
import { compiled, inRepo } from '../support/paths.js';
import { subject, version } from '../support/subject.js';

// The frameworks' messages to developers: the lines of DEBUG, deprecation warnings, errors in the log.

const PROGRAM = compiled('test/parity/fixtures/outspoken.js');
const THEIRS = require.resolve(version === 4 ? 'express4' : 'express');
const OURS = path.join(subject, version === 4 ? 'v4.js' : 'index.js');

/** Lines on stderr without variable parts: the time, durations, names of inner functions and positions. */
async function said(framework: string, env: Record<string, string>): Promise<string[]> {
  const { DEBUG: _debug, NO_DEPRECATION: _quiet, ...rest } = process.env;
  const options = {
    env: { ...rest, NODE_ENV: 'production', DEBUG_HIDE_DATE: '1', ...env },
    cwd: inRepo(),
  };
  const { stderr } = await promisify(execFile)(process.execPath, [PROGRAM, framework], options);
  return (
    stderr
      .replaceAll(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT /gm, '')
      .replaceAll(/\[(?:Function|class): ?\w+\]|\[class \w+\]|\[Function \(anonymous\)\]/g, '[a function]')
      .replaceAll(/ at .*[\\/](?:node_modules|nonstop[\\/](?:src|dist))[\\/].*$/gm, ' at <inside>')
      .replaceAll(/ (?:node_modules|(?:\.build[\\/])?packages[\\/]nonstop[\\/](?:src|dist))[\\/]\S*$/gm, ' <inside>')
      .split('\n')
      // With DEBUG=* the engine prints for each server whether it serves it.
      .filter((line) => !/^ {4}at |^nonstop /.test(line))
  );
}

const RUNS: readonly (readonly [string, Record<string, string>, shows: RegExp])[] = [
  ['DEBUG=express:*', { DEBUG: 'express:*' }, /express:application set "etag" to 'weak'[^]*express:view stat/],
  [
    'DEBUG=*',
    { DEBUG: '*' },
    /router:layer new[^]*router trim prefix \(\/child\)[^]*finalhandler cannot 500[^]*send stat[^]*body-parser:json parse json/,
  ],
  [
    'nothing asked: what is deprecated, and errors',
    {},
    /Error: an error[^]*express deprecated Provide a url argument .*outspoken\.js[^]*router deprecated handlers/,
  ],
  [
    'nothing asked, on node:http',
    { NONSTOP_ENGINE: 'node' },
    /express deprecated Url must be a string[^]*router deprecated parameters/,
  ],
  ['NO_DEPRECATION=express', { NO_DEPRECATION: 'express' }, /(?<!express deprecated[^]*)router deprecated parameters/],
];

for (const [name, env, shows] of RUNS) {
  test(`the same debug lines are printed with ${name}`, async () => {
    const [expected, actual] = await Promise.all([said(THEIRS, env), said(OURS, env)]);
    // `shows` is written for Express 5.
    if (version === 5) assert.match(expected.join('\n'), shows);
    assert.deepEqual(actual, expected);
  });
}
