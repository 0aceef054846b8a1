// What Express's known types lack, or declare differently from the run-time behaviour.
import express, {
  type ErrorRequestHandler,
  type FormatHandlers,
  type NodeMiddleware,
  type NonstopExpress,
  type NonstopRouter,
  type RequestHandler,
  type Route,
  type Send,
  type SettingName,
} from 'nonstop';
import http = require('node:http');
import { holds, type Same } from '../programs/expect.js';

declare const fields: http.OutgoingHttpHeaders;
const app: NonstopExpress = express();

// Handlers that are written in the call need no annotation, even with lists beside them.
const pass: RequestHandler = (_req, _res, next) => next();
const fail: ErrorRequestHandler = (_err, _req, res, _next) => res.end();
app.get('/nested', [pass, [pass, [pass]]], (req, res) => res.send(req.path));
app.get('/nested', [pass, [fail]], pass, fail);
app.render('index', (_err, html) => holds<Same<typeof html, string>>());
const readonlyHandlers: readonly RequestHandler[] = [pass];
app.get('/readonly', readonlyHandlers);
const paths = ['/a', '/b'] as const;
app.get(paths, pass);

app.get('/', (req, res) => {
  // @ts-expect-error -- a getter: the assignment throws in strict code
  req.query = {};
  res.set('Content-Length', 10).set(fields).append('X-A', 'b').vary(['Accept', 'Origin']);
  res.links({ alternate: ['/de', '/fr'] });
  res.download('a.txt', { root: '/srv' }, () => {});
  req.is('html', 'json');
  const handlers: FormatHandlers = { json: (_req, answer, next) => (answer.headersSent ? next() : answer.json(1)) };
  res.format(handlers);
  // @ts-expect-error -- a format is answered by a function
  res.format({ json: 1 });
});

// Routers and routes.
const router: NonstopRouter = new express.Router({ mergeParams: true });
for (const { path, methods, router: mounted } of router.listRoutes()) void [path, methods?.join(), mounted?.stack];
router.bind('/a', pass).acl('/a', pass).rebind('/a', pass).unbind('/a', pass).source('/a', pass).mkcalendar('/a', pass);
const route: Route<'/:id'> = router.route('/:id');
route.propfind((req) => holds<Same<typeof req.params.id, string>>());
const alone: Route = new express.Route('/x');
alone.get(pass);
holds<Same<typeof alone.methods, Record<string, boolean>>>();
const original = express.Router.prototype.route;
express.Router.prototype.route = original;

// Applications.
const setting: SettingName = 'trust proxy';
app.set('http engine', 'node').set(setting, 1);
app.on('mount', (parent) => void parent.mountpath).on('other', (...args) => void args);
app.parent?.path();
declare const incoming: http.IncomingMessage;
declare const outgoing: http.ServerResponse;
app.handle(incoming, outgoing, (err) => void err);
app.handle(incoming, outgoing);
app.router.handle(app.request, app.response, () => {});
void [app.engines['.html'], app.cache['index']];

// Parsers and static files need no application.
const parse: NodeMiddleware = express.json({ defaultCharset: 'utf-8' });
parse(incoming, outgoing, () => {});
express.urlencoded({ extended: true, depth: 2, charsetSentinel: true, interpretNumericEntities: true });

const send: Send<string, void> = (body) => holds<Same<typeof body, string | undefined>>();
send('text');
