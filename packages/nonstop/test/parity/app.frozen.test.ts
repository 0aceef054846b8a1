import type express = require('express');
import { version } from '../support/subject.js';
import { parities, requests, tell, type Framework, type Program } from './stage.js';

// Programs that freeze what they have set up: Express writes nothing to it when a request comes.

interface Parts {
  readonly app: express.Express;
  readonly child: express.Express;
  readonly router: express.Router;
}

const routerOf = (app: express.Express): { stack: object[] } => (version === 4 ? app._router : app.router);

const FROZEN: Readonly<Record<string, (parts: Parts) => readonly object[]>> = {
  'the application': ({ app }) => [app],
  'a mounted application': ({ child }) => [child],
  'its router': ({ app }) => [routerOf(app)],
  'its stack': ({ app }) => [routerOf(app).stack],
  'a router': ({ router }) => [router],
  'a layer without a path': ({ app }) => [routerOf(app).stack.at(-2)!],
  'the settings': ({ app }) => [app.settings as object],
  'app.request': ({ app }) => [app.request],
  'app.response': ({ app }) => [app.response],
  'both of a mounted application': ({ child }) => [child.request, child.response],
};

/** So many routes that a router looks up which of them can match. */
function addRoutes(router: { get(path: string, handle: express.RequestHandler): unknown }): void {
  for (let i = 0; i < 20; i++) {
    router.get(`/route${i}`, (req, res) => tell(res, () => [req.url, req.baseUrl, req.query]));
  }
}

function furnish(app: express.Express, make: Framework): Parts {
  const [child, router] = [make(), make.Router()];
  addRoutes(app);
  addRoutes(router);
  child.get('/', (req, res) => tell(res, () => [req.app === child, res.app === child]));
  child.get('/fails', () => {
    throw new Error('inside');
  });
  app.use('/child', child, (req, res) => tell(res, () => [req.app === app, (res.app as unknown) === app]));
  app.use('/router', router);
  app.use((_req, res) => void res.status(404).send('none'));
  // V8's message names the function that made the layer.
  app.use(((error: Error, _req, res, next) => {
    if (error instanceof TypeError) res.status(500).send(error.name);
    else next(error);
  }) satisfies express.ErrorRequestHandler);
  return { app, child, router };
}

parities(
  Object.entries(FROZEN).map(([what, parts]): Program => ({
    name: `after a program has frozen ${what}`,
    pages: true,
    app: (app, make) => {
      for (const part of parts(furnish(app, make))) Object.freeze(part);
    },
    rows: requests([
      ['GET /route3'],
      ['GET /route19?a=1'],
      ['GET /router/route7'],
      ['GET /child'],
      ['GET /child/none'],
      ['GET /child/fails'],
      ['GET /none'],
      ['OPTIONS /route3'],
    ]),
  })),
);
