import express, { type MediaType, type Request } from 'nonstop';
import http = require('node:http');
import type { Socket } from 'node:net';
import { holds, type Same } from './expect.js';

const app = express();

app.get('/', (req, res, next) => {
  const incoming: http.IncomingMessage = req;
  const socket: Socket = req.socket;
  holds<Same<ReturnType<typeof req.accepts>, string | false>>();
  holds<Same<typeof req.ip, string | undefined>>();
  holds<Same<typeof req.ips, string[]>>();
  holds<Same<typeof req.subdomains, string[]>>();
  holds<Same<typeof req.secure, boolean>>();
  holds<Same<typeof req.fresh, boolean>>();
  holds<Same<typeof req.stale, boolean>>();
  holds<Same<typeof req.xhr, boolean>>();
  const texts: string[] = [req.method, req.url, req.originalUrl, req.baseUrl, req.path, req.protocol, req.host];
  const all: string[] = [...req.accepts(), ...req.acceptsCharsets(), ...req.acceptsEncodings()];
  const best: (string | false)[] = [
    req.accepts('html'),
    req.accepts(['html', 'json']),
    req.accepts('html', 'json'),
    req.acceptsCharsets('utf-8'),
    req.acceptsEncodings(['gzip', 'br']),
    req.acceptsLanguages('en', 'de'),
  ];
  const agent: string | undefined = req.get('User-Agent');
  const cookies: string[] | undefined = req.header('set-cookie');
  const is: string | false | null = req.is(['json', 'text']);
  const ranges = req.range(1000, { combine: true });
  if (typeof ranges === 'object') {
    holds<Same<(typeof ranges)[number]['start'], number>>();
    holds<Same<typeof ranges.type, string>>();
  } else {
    holds<Same<typeof ranges, -1 | -2 | undefined>>();
  }
  const page = req.query['page'];
  if (typeof page === 'string') page.length;
  // @ts-expect-error -- a parameter of the query need not be there
  page.length;
  // @ts-expect-error -- it is computed
  req.path = '/other';
  // @ts-expect-error -- a header field has a name
  req.get();
  // @ts-expect-error -- no such member
  void req.user2;
  void [incoming, socket, texts, all, best, agent, cookies, is, req.cookies.any, req.signedCookies.any, req.body.any];
  void [req.app.get('env'), req.res?.locals, req.next, req.route.path, req.hostname, next, res];
});

declare const typed: Request<{ id: string }, string[], { name: string }, { page: string }, { user: string }>;
holds<Same<typeof typed.params.id, string>>();
holds<Same<typeof typed.body.name, string>>();
holds<Same<typeof typed.query.page, string>>();
declare const untyped: Request;
const back: Request = typed;
// @ts-expect-error -- its parameters are not known to be there
const narrowed: Request<{ id: string }> = untyped;

const type: MediaType = { value: 'text/html', quality: 1, type: 'text', subtype: 'html' };
export { back, narrowed, type };
