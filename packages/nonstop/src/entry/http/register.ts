import { host } from '../../http/host.js';

/**
 * `nonstop/http/register`: loaded before a program (`--require` or `--import`), it has every `http.Server` and `https.Server` of the
 * process served by the engine, whatever the program is written with. Workers that run a file, and child processes that are
 * forked, inherit the flag.
 *
 * `NONSTOP_ENGINE=node` leaves them all to node.
 */
host.serveEveryServer();
