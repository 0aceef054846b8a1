// As CommonJS without `esModuleInterop` sees it: `export =`, and no `default`.
import express = require('nonstop');
import { Router, type Request, type Response } from 'nonstop';
import { holds, type Same } from '../programs/expect.js';

const app: express.Express = express();
const router: Router = Router();
app.use(express.static('public'), router);
app.get('/:id', (req, res) => {
  holds<Same<typeof req.params.id, string>>();
  res.send(req.params.id);
});

function qualified(req: express.Request, res: Response): void {
  const same: Request = req;
  res.send(same.url);
}
app.use(qualified);
