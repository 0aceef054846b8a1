import express, { type CookieOptions, type Errback, type Response, type Send } from 'nonstop';
import http = require('node:http');
import { holds, type Same } from './expect.js';

const app = express();

interface Pages {
  next: string;
  last?: string;
}
declare const pages: Pages;
declare const fields: string | Record<string, string | undefined>;
interface Formats {
  html(): void;
  json?: () => void;
}
declare const formats: Formats;

app.get('/', (req, res) => {
  const answer: http.ServerResponse = res;
  const chained: Response = res
    .status(201)
    .type('html')
    .contentType('json')
    .set('X-A', '1')
    .set('X-B', ['1', '2'])
    .set({ 'X-C': '3' })
    .header('X-D', '4')
    .append('X-E', ['5'])
    .vary('Accept')
    .links({ next: '/?page=2' })
    .location('/new')
    .attachment('report.pdf')
    .cookie('a', { b: 1 }, { maxAge: 1000, sameSite: 'lax', httpOnly: true, priority: 'high', partitioned: true })
    .cookie('c', 1)
    .clearCookie('a', { path: '/' });
  holds<Same<ReturnType<typeof res.get>, string | undefined>>();
  holds<Same<typeof res.headersSent, boolean>>();
  chained.send('text');
  res.links(pages);
  res.set(fields).header(fields);
  res.format(formats);
  res.send(Buffer.from('bytes')).end();
  res.json({ any: 'thing' });
  res.jsonp([1, 2]);
  res.sendStatus(404);
  res.redirect('/a');
  res.redirect(301, '/b');
  res.format({
    'text/plain': () => res.send('hey'),
    html: () => res.send('<p>hey'),
    default() {
      res.status(406).end();
    },
  });
  const done: Errback = (err) => void err?.message;
  res.sendFile('/a.txt', done);
  res.sendFile('a.txt', { root: '/srv', dotfiles: 'deny', maxAge: '1d', headers: { 'X-A': '1' }, start: 1, end: 2 });
  res.download('/a.txt');
  res.download('/a.txt', 'b.txt', done);
  res.download('/a.txt', 'b.txt', { lastModified: false }, done);
  res.render('index', { title: 'a' }, (err, html) => {
    holds<Same<typeof html, string>>();
    void err.message;
  });
  res.render('index', (_err: Error, html: string) => void html);
  res.locals['title'] = 'a';
  void [answer, res.app.get('env'), res.req.url, req];
  const { send } = res;
  res.send = function (body) {
    return send.call(this, body);
  };
  res.json = (...args) => send.apply(res, args);
  res.jsonp = (body?: unknown): Response => send.call(res, body);
  // @ts-expect-error -- a status is a number
  res.status('200');
  // @ts-expect-error -- a redirection has a target
  res.redirect();
  // @ts-expect-error -- the status comes first
  res.redirect('/b', 301);
  // @ts-expect-error -- none of the three
  res.sendFile('a.txt', { dotfiles: 'show' });
  // @ts-expect-error -- none of the three
  res.cookie('a', 'b', { sameSite: 'Sometimes' });
  // @ts-expect-error -- no such member
  res.sendfile('a.txt');
});

declare const typed: Response<{ ok: boolean }, { user: string }>;
typed.json({ ok: true });
// @ts-expect-error -- `ok` is missing
typed.send({});
holds<Same<typeof typed.locals.user, string>>();

const options: CookieOptions = { expires: new Date(0), encode: String, secure: true, signed: false };
export const send: Send = typed.send;
export { options };

// Declarations of these name the types of a response's methods: the package has to export them.
export const json = (res: Response) => res.json;
export const mocked = (res: Response) => ({ ...res, send: res.send, bound: res.jsonp.bind(res) });
