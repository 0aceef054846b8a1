/**
 * Load it before a program, with `--import nonstop/http/register` or `--require nonstop/http/register`. The engine then
 * serves every `http.Server` and `https.Server` of the process from the first octet, with any framework.
 *
 * Workers that run a file, and child processes that are forked, inherit the flag. Loaded from code, it applies to
 * servers that start to listen later. `NONSTOP_ENGINE=node` leaves them all to node. It exports nothing.
 *
 * @module nonstop/http/register
 */
import './register.js';
