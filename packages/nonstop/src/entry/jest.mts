/**
 * A resolver for jest: `resolver: 'nonstop/jest'` in its settings. Tests and what they load get Nonstop for `express`, of the version that is
 * installed.
 *
 * @module nonstop/jest
 */
import resolver from './jest.js';

export default resolver;
