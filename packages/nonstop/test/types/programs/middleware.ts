import express from 'nonstop';

const app = express();

app.use(express.json());
app.use(express.json({ limit: '1mb', strict: false, type: ['json', 'application/*+json'], inflate: false }));
app.use(express.json({ reviver: (key, value) => (key === '__proto__' ? undefined : value), type: (req) => !!req.url }));
app.use(
  express.json({
    verify: (req, res, buf, encoding) => {
      void [req.headers, res.statusCode, buf.length, encoding.length];
    },
  }),
);
app.use(express.urlencoded({ extended: true, parameterLimit: 10 }), express.raw({ type: '*/*' }), express.text());
app.use(express.text({ defaultCharset: 'latin1', limit: 1000 }));
app.use(express.static('public'));
app.use(
  '/files',
  express.static('files', {
    dotfiles: 'allow',
    extensions: ['html'],
    fallthrough: false,
    immutable: true,
    index: false,
    maxAge: '1d',
    redirect: false,
    setHeaders(res, path, stat) {
      res.set('X-Path', path).set('X-Size', String(stat.size));
    },
  }),
);
app.get('/one', express.json(), (req, res) => res.json(req.body));
// @ts-expect-error -- a folder is needed
express.static();
// @ts-expect-error -- a switch is a boolean
express.json({ strict: 'no' });
// @ts-expect-error -- bytes, or a string that says so
express.raw({ limit: {} });
