// Handlers, routers and applications typed with `express` and with `nonstop` in one program.
import express = require('express');
import type core = require('express-serve-static-core');
import nonstop = require('nonstop');

const ours = nonstop();
const theirs = express();

// Handlers, in both directions.
declare const theirHandler: express.RequestHandler;
declare const ourHandler: nonstop.RequestHandler;
declare const theirErrorHandler: express.ErrorRequestHandler;
declare const ourErrorHandler: nonstop.ErrorRequestHandler;
declare const theirParamHandler: express.RequestParamHandler;
declare const ourParamHandler: nonstop.RequestParamHandler;
const handlers: nonstop.RequestHandler[] = [theirHandler, ourHandler];
const handlersBack: express.RequestHandler[] = [theirHandler, ourHandler];
const errorHandlers: nonstop.ErrorRequestHandler[] = [theirErrorHandler, ourErrorHandler];
const errorHandlersBack: core.ErrorRequestHandler[] = [theirErrorHandler, ourErrorHandler];
ours.use(theirHandler, theirErrorHandler);
ours.get('/:id', theirHandler, (req, res) => res.send(req.params.id));
ours.use('/a', [theirHandler], theirErrorHandler);
ours.param('id', theirParamHandler);
theirs.use(ourHandler, ourErrorHandler);
theirs.get('/:id', ourHandler, (req, res) => res.send(req.params.id));
theirs.param('id', ourParamHandler);

// Handlers with typed requests, as middleware packages declare them.
ours.use((req: express.Request, res: express.Response, next: express.NextFunction) => void [req, res, next]);
theirs.use((req: nonstop.Request, res: nonstop.Response, next: nonstop.NextFunction) => void [req, res, next]);
ours.get('/:id', (req: express.Request<{ id: string }>, res: express.Response<string>) => res.send(req.params.id));
theirs.get('/:id', (req: nonstop.Request<{ id: string }>, res: nonstop.Response<string>) => res.send(req.params.id));
// @ts-expect-error -- a user that is not declared is an error between the two packages too
ours.get('/', (req: express.Request & { user: string }, res: express.Response) => res.send(req.user));

// Handlers that a generic function makes: what it does not say itself keeps the default.
// oxlint-disable-next-line typescript/no-explicit-any -- as those packages declare it
declare function makeTheirs<P = core.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query>(
  handler?: express.RequestHandler<P, ResBody, ReqBody, ReqQuery>,
): express.RequestHandler<P, ResBody, ReqBody, ReqQuery>;
ours.post('/:id', makeTheirs(), (req, res) => res.json({ id: req.params.id, body: req.body.name }));
ours.post(
  '/:id',
  makeTheirs((req, res) => res.json(req.url)),
);
ours.use(makeTheirs(), (req, res) => res.send(req.url));
ours.route('/:id').get(makeTheirs(), (req, res) => res.send(req.params.id));

// Routers and applications, mounted in each other and passed to functions typed with the other package.
ours.use('/theirs', express.Router(), theirs);
theirs.use('/ours', nonstop.Router(), ours);
const setUp = (app: express.Application, router: express.Router): void => void app.use(router);
setUp(ours, nonstop.Router());
const setUpEither = (app: nonstop.Application, router: nonstop.IRouter): void => void app.use(router);
setUpEither(theirs, express.Router());
setUpEither(ours, nonstop.Router());
const asExpress: express.Express = ours;
const asOurs: nonstop.Express = theirs;
const routers: nonstop.Router[] = [express.Router(), nonstop.Router(), ours.router];
const routersBack: express.Router[] = [...routers, nonstop.Router()];
const start = (app: nonstop.Express, router: nonstop.Router): void => void app.use(router);
start(theirs, express.Router());
start(ours, nonstop.Router());
declare const known: nonstop.Express;
const known5: express.Express = known;

// Middleware of one package in an application of the other.
ours.use(express.json(), express.urlencoded(), express.static('public'));
theirs.use(nonstop.json(), nonstop.urlencoded(), nonstop.static('public'));

// Options.
declare const theirCookie: express.CookieOptions;
declare const ourCookie: nonstop.CookieOptions;
const cookies: nonstop.CookieOptions[] = [theirCookie, ourCookie];
const cookiesBack: express.CookieOptions[] = [theirCookie, ourCookie];

export {
  asExpress,
  asOurs,
  cookies,
  cookiesBack,
  errorHandlers,
  errorHandlersBack,
  handlers,
  handlersBack,
  known5,
  routersBack,
};
