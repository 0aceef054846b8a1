// Every type that `@types/express` 4 names, as programs use it.
import express from 'nonstop/v4';
import { holds, type Same } from '../../programs/expect.js';

interface Params {
  id: string;
}
interface Body {
  name: string;
}

const options: express.RouterOptions = { caseSensitive: true, mergeParams: false, strict: undefined };
const router: express.Router = express.Router(options);
const asInterface: express.IRouter = router;
const app: express.Express = express();
const asApplication: express.Application = app;
const prototypes: [express.Application, express.Request, express.Response] = [
  express.application,
  express.request,
  express.response,
];

declare const path: string;
const route: express.IRoute = app.route(path);
const get: express.IRouterMatcher<express.Express> = app.get.bind(app);
const use: express.IRouterHandler<express.IRoute> = route.get.bind(route);

const handler: express.RequestHandler<Params, Body, Body, { q?: string }, { user: string }> = (req, res) => {
  holds<Same<typeof req.params.id, string>>();
  holds<Same<typeof req.body.name, string>>();
  holds<Same<typeof req.query.q, string | undefined>>();
  holds<Same<typeof res.locals.user, string>>();
  res.json({ name: req.body.name });
};
const plain: express.Handler = (_req, res, next: express.NextFunction) => (res.headersSent ? next() : void res.send());
const onError: express.ErrorRequestHandler<Params> = (error: Error, req, res, next) => {
  if (req.params.id === '') next(error);
  else res.status(500).send(error.message);
};
const onParam: express.RequestParamHandler = (req, _res, next, value: string, name) => {
  req.params[name] = value.trim();
  next();
};
const begun = (req: express.Request, res: express.Response, next: express.NextFunction): void =>
  onParam(req, res, next, 'a', 'id');
const failed: express.Errback = (error) => void error?.message;

const cookie: express.CookieOptions = { httpOnly: true, sameSite: 'lax', maxAge: 1 };
const locals = (all: express.Locals): unknown => all;
const best = (types: express.MediaType[]): string => `${types[0].type}/${types[0].subtype};q=${types[0].quality}`;
const sends = (send: express.Send): express.Response => send({ name: 'a' });

function answer(req: express.Request<Params, Body>, res: express.Response<Body, { user: string }>): void {
  res.cookie('a', 'b', cookie).json({ name: `${req.params.id} ${res.locals.user}` });
}

app.param('id', onParam);
app.use(begun);
const made: ReturnType<typeof express.Router> = router;
export const created = (application: express.Express): ReturnType<typeof express> => application;
made.use(plain);
app.post(
  '/:id',
  express.json(),
  express.raw(),
  express.text(),
  express.urlencoded({ extended: true }),
  handler,
  onError,
);
app.put('/:id', answer);
app.use('/static', express.static('public', { maxAge: '1d' }), plain);
app.get('/file', (_req, res) => res.download('a.txt', failed));

export { asApplication, asInterface, best, get, locals, prototypes, sends, use };
