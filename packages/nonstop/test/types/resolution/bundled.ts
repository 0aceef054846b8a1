// As a bundler resolves it: the `import` condition; names and default come from the ES module file.
import express, { Router, static as serveStatic, type Request, type Response } from 'nonstop';
import { holds, type Same } from '../programs/expect.js';

const app = express();
const router: Router = Router();
app.use(serveStatic('public'), router);
app.get('/:id', (req, res) => {
  holds<Same<typeof req.params.id, string>>();
  res.send(req.params.id);
});

export function qualified(req: express.Request, res: Response): void {
  const same: Request = req;
  res.send(same.url);
}
