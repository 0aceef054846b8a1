// What Express 5 no longer has, or has in another form.
import express from 'nonstop/v4';
import http = require('node:http');
import { holds, type Same } from '../../programs/expect.js';

const app = express();
const slot: { perhaps: express.Express | undefined } = { perhaps: undefined };
slot.perhaps = express();
slot.perhaps.listen();

app.use((req, res, next) => {
  req.query = { a: '1' };
  holds<Same<ReturnType<typeof req.param>, string>>();
  void [req.param('a'), req.param('a', 'default'), req.host, req.hostname];
  if (req.query['a'] === '1') next();
  else res.redirect('/there', 301);
});
app.use((_req, res) => res.redirect('back'));
app.get('/file', (_req, res) => res.sendfile('a.txt'));
app.get('/other', (_req, res) => res.sendfile('a.txt', { maxAge: 1 }, (error) => void error));
app.use(express.query({}), express.urlencoded({ extended: true }));
app.listen(3000, () => undefined);
const server: http.Server = app.listen(app.get('port'));

// The call of a handler has no result: a function that has none may return it.
const handler: express.RequestHandler = (_req, _res, next) => next();
const onError: express.ErrorRequestHandler = (error, _req, _res, next) => next(error);
function guard(req: express.Request, res: express.Response, next: express.NextFunction): void {
  return req.secure ? handler(req, res, next) : onError(new Error('not secure'), req, res, next);
}
app.use(guard, (req, res, next): void => express.Router()(req, res, next));
void [app._router, express.static.mime.lookup('a.txt')];

export { app, server };
