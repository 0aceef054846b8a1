/**
 * A plugin for Vite and vitest: `plugins: [nonstop()]`. It gives Nonstop for `express`, of the version that is installed: in what Vite builds for
 * the server, in what it loads while it serves, and in the tests of vitest and what they load.
 *
 * @module nonstop/vite
 */
import nonstop from './vite.js';

export default nonstop;
