import { unknownValueError } from '../../../core/errors.js';
import { watchApplications } from './applications.js';
import { watchBodies } from './bodies.js';
import { watchPaths } from './paths.js';
import { watchResponses, watchStatic } from './responses.js';

const SWITCH = 'NONSTOP_EXPRESS5';

/**
 * With `NONSTOP_EXPRESS5=warn`, wraps the public functions of Express 4 to warn, with file and line, of each use that
 * Express 5 refuses or treats differently. Without it nothing is changed.
 *
 * @param express the value of `require('nonstop/v4')`
 * @throws TypeError ERR_NONSTOP_EXPRESS5 for an unknown value
 */
export function watchUsesOf4(express: object): void {
  const value = process.env[SWITCH];
  if (value === undefined || value === '') return;
  if (value !== 'warn') throw unknownValueError(SWITCH, value, ['warn']);
  watchPaths();
  watchApplications();
  watchResponses();
  watchBodies(express);
  watchStatic(express);
}
