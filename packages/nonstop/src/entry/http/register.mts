/**
 * Loaded before a program, with `--import nonstop/http/register` or `--require nonstop/http/register`, it has every `http.Server` and
 * `https.Server` of the process served by the engine from its first octet, whatever the program is written with.
 *
 * Workers that run a file, and child processes that are forked, inherit the flag. Loaded from code, it holds for servers that begin to listen
 * later. `NONSTOP_ENGINE=node` leaves them all to node. It exports nothing.
 *
 * @module nonstop/http/register
 */
import './register.js';
