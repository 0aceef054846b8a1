// What Express 5 no longer has, or has in another form.
import express from 'nonstop/v4';
import { holds, type Same } from '../../programs/expect.js';

const app = express();

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
void [app._router, express.static.mime.lookup('a.txt')];

export { app };
