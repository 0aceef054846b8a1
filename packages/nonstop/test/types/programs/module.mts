import express, { Router, application, json, request, response, type Request, type Response } from 'nonstop';
import * as everything from 'nonstop';

const app = express();
const router: Router = Router();
app.use(json(), router, everything.urlencoded(), everything.raw(), everything.text(), everything.static('public'));
app.get('/:id', (req: Request<{ id: string }>, res: Response) => res.send(req.params.id));
void [application.init, request.get, response.send, everything.default()];

export function qualified(req: express.Request, res: everything.Response, next: express.NextFunction): void {
  res.send(req.url);
  next();
}
