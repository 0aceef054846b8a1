import type { express } from '../../src/express/express.js';
import type entryHttp = require('../../src/entry/http.js');
import path = require('node:path');
import { inRepo } from './paths.js';

/**
 * Where the framework and the engine lie that tests of behaviour run on: the sources, file for file, or with
 * `NONSTOP_TESTED=dist` what is published. Both must pass the same tests.
 */
export const subject = inRepo(process.env['NONSTOP_TESTED'] === 'dist' ? 'dist' : '.build/src', 'entry');

export const nonstop = require(path.join(subject, 'index.js')) as typeof express;
export const nonstopHttp = require(path.join(subject, 'http.js')) as typeof entryHttp;
export const { accelerate, explainAcceleration, isAccelerated } = nonstopHttp;
