import { host } from '../../http/host.js';

/** `nonstop/http/register`: see register.mts. */
host.serveEveryServer();
