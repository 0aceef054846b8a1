/**
 * Load it before an application, with `--import nonstop/register` or `--require nonstop/register`. It replaces `express` by Nonstop in
 * `require` and `import` of the process. An installed Express keeps its place, so that agents know it.
 *
 * Each program gets the version that is installed next to it: where it would find Express 4, that is `nonstop/v4`; where it would
 * find Express 5 or none, `nonstop`. Others are left alone, and a line on stderr says so. `NONSTOP_REGISTER=explain` tells what each program
 * gets, `NONSTOP_REGISTER=quiet` nothing; another value is an error with the code `ERR_NONSTOP_REGISTER`.
 *
 * Workers get it too, and `NODE_OPTIONS` carries it to child processes. Loaded from code, it does the same for what
 * this thread loads afterwards. It exports nothing.
 *
 * @module nonstop/register
 */
import './register.js';
