import type { express } from '../../src/express/express.js';
import type entryHttp = require('../../src/entry/http.js');
import type entryHttp2 = require('../../src/entry/http2.js');
import path = require('node:path');
import { compiled, inPackage } from './paths.js';

/**
 * The folder of the framework and the engine under test: the compiled sources, file for file, or with
 * `NONSTOP_TESTED=dist` the published files. Both must pass the same tests.
 */
export const subject = process.env['NONSTOP_TESTED'] === 'dist' ? inPackage('dist/entry') : compiled('src/entry');

/**
 * The tested version of Express: 5, or 4 with `NONSTOP_EXPRESS=4`. The files of `test/parity/v4` set it before they load the tables
 * of requests that both versions share.
 */
export const version = process.env['NONSTOP_EXPRESS'] === '4' ? 4 : 5;

export const nonstop = require(path.join(subject, version === 4 ? 'v4.js' : 'index.js')) as typeof express;
export const nonstopHttp = require(path.join(subject, 'http.js')) as typeof entryHttp;
export const { accelerate, explainAcceleration, isAccelerated } = nonstopHttp;

/** Loads HTTP/2, for the tests that need it. */
export const nonstopHttp2 = (): typeof entryHttp2 => require(path.join(subject, 'http2.js')) as typeof entryHttp2;
