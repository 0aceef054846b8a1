import { host } from '../../http/host.js';

/**
 * `nonstop/http/register`: load it before a program (`--require` or `--import`). The engine then serves every
 * `http.Server` and `https.Server` of the process, with any framework. Workers that run a file, and child processes that
 * are forked, inherit the flag.
 *
 * `NONSTOP_ENGINE=node` leaves them all to node.
 */
host.serveEveryServer();
