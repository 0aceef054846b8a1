import express, { type Application, type Express } from 'nonstop';
import http = require('node:http');
import https = require('node:https');
import { holds, type Same } from './expect.js';

const app: Express = express();
const general: Application = app;

app.set('views', ['a', 'b']).enable('etag').disable('x-powered-by').set('any name', 1);
holds<Same<ReturnType<typeof app.enabled>, boolean>>();
const port: number = app.get('port');
app.engine('html', (path, options, callback) => callback(null, path + String(options)));
app.locals['title'] = 'a';
app.render('index', { title: 'a' }, (err, html) => void [err, html]);
app.render('index', (err: Error, html: string) => void [err, html]);
// @ts-expect-error -- a setting has a value
app.set('views');
// @ts-expect-error -- and a name
app.enabled();

const servers: http.Server[] = [
  app.listen(),
  app.listen(port),
  app.listen(port, () => {}),
  app.listen(port, '127.0.0.1', (err) => void err?.message),
  app.listen(port, '127.0.0.1', 511),
  app.listen('/tmp/socket'),
  // A setting may be anything.
  app.listen(app.get('port')),
  app.listen(app.get('port'), app.get('host')),
  app.listen({ port: 0, reusePort: true }),
];
http.createServer(app).listen(0);
https.createServer({}, app);

const admin = express();
admin.on('mount', (parent) => {
  holds<Same<ReturnType<typeof parent.path>, string>>();
});
app.use('/admin', admin);
app.use(admin);
app.get('/admin', admin);
const mounted: string | string[] = admin.mountpath;

app
  .get('/a', (_req, res) => res.end())
  .post('/a', (_req, res) => res.end())
  .all('/a', (_req, res) => res.end())
  ['m-search']('/a', (_req, res) => res.end());
app.query?.('/a', (_req, res) => res.end());

app.router.use((_req, _res, next) => next());
app.router.stack.map((layer) => [layer.name, layer.route?.path, layer.handle]);

// A cast to an application with more members.
interface Chatting extends Express {
  ws(path: string): this;
}
const chatting = express() as Chatting;
// oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the cast is what the call takes its type from
(express() as Express & { chats: number }).chats += 1;
chatting.ws('/a').use(admin);

// Where more than an application is expected, as in a variable that is filled before each test.
const slot: { perhaps: Express | undefined; part: Pick<Express, 'get' | 'use'> | null } = {
  perhaps: undefined,
  part: null,
};
slot.perhaps = express();
slot.perhaps.listen();
let none: Express | null = null;
none = express();
slot.part = express();
slot.part.use(admin);
const kept: { app?: Express } = { app: express() };
const taken = (given?: Express): Express | (() => void) => given ?? express();
taken(express());
const begun = async (): Promise<Express> => express();

Object.defineProperty(app.request, 'greeting', { value: 'hello' });
Object.assign(app.response, { bye: () => 'bye' });
Object.assign(express.request, { a: 1 });
Object.assign(express.response, { a: 1 });
Object.assign(express.application, { a: 1 });

export { begun, general, kept, mounted, none, servers };
