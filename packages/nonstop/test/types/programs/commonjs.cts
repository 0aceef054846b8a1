import express = require('nonstop');
import type { NextFunction, Request, Response } from 'nonstop';

const app: express.Express = express();
const router: express.Router = express.Router();
app.use(express.json(), router);
app.get('/:id', (req, res) => res.send(req.params.id));

function named(req: Request, res: Response, next: NextFunction): void {
  res.send(req.url);
  next();
}
function qualified(req: express.Request, res: express.Response<string>, next: express.NextFunction): void {
  res.send(req.url);
  // @ts-expect-error -- the body is a string
  res.send(1);
  next();
}
app.use(named, qualified);

export = app;
