import path = require('node:path');
import { folder } from '../support/folder.js';
import { parities, pipelined, request, tell, type Build, type Program, type Row } from './stage.js';

const root = folder({ 'a.txt': '0123456789', 'sub/index.html': 'sub' });

/** An application with all features that read its connection or write to it in a special way. */
const everything: Build = (app, make) => {
  app.set('view engine', 'tpl').engine('tpl', (_file, _options, done) => done(null, 'never'));
  app.get('/address', (req, res) =>
    tell(res, () => {
      const { protocol, secure, ip, ips, host, hostname, subdomains, httpVersion } = req;
      const { encrypted } = req.socket as { encrypted?: boolean };
      return { protocol, secure, ip, ips, host, hostname, subdomains, httpVersion, encrypted: Boolean(encrypted) };
    }),
  );
  app.get('/text', (_req, res) => void res.send('text'));
  app.get('/json', (_req, res) => void res.json({ a: 1 }));
  app.get('/file', (_req, res) => res.sendFile(path.join(root, 'a.txt')));
  app.get('/cookie', (_req, res) => res.cookie('a', 'b', { secure: true }).redirect('/text'));
  app.get('/stream', (_req, res) => {
    res.write('one');
    setImmediate(() => (res.write('two'), res.end('three')));
  });
  app.get('/error', () => {
    throw new Error('an error');
  });
  app.post('/echo', make.json(), make.text({ type: '*/*' }), (req, res) => void res.send(req.body));
  app.post('/drain', (req, res) => {
    let size = 0;
    req.on('data', (chunk: Buffer) => (size += chunk.length)).on('end', () => res.send(String(size)));
  });
  app.use('/static', make.static(root));
};

const trusting: Build = (app, make, note) => {
  app.set('trust proxy', true);
  everything(app, make, note);
};

const PROXIED = { 'X-Forwarded-Proto': 'http', 'X-Forwarded-For': '10.0.0.1', 'X-Forwarded-Host': 'a.b.example' };

const rows: Row[] = [
  ...pipelined([
    ['GET /address', { Host: 'x.y.example.com:8443' }],
    ['GET /address', PROXIED],
    ['GET /text'],
    ['GET /text', { 'If-None-Match': '*' }],
    ['HEAD /text'],
    ['GET /json'],
    ['GET /file'],
    ['GET /file', { Range: 'bytes=2-4' }],
    ['GET /cookie'],
    ['GET /stream'],
    ['GET /error'],
    ['GET /static/a.txt'],
    ['GET /static/sub'],
    ['GET /none'],
    ['OPTIONS /text'],
  ]),
  { name: 'a body by length', send: request('POST /echo', { 'Content-Type': 'application/json' }, '{"a":1}') },
  { name: 'a long body', send: request('POST /drain', {}, Buffer.alloc(200_000, 'b')) },
  {
    name: 'a body in chunks',
    send: request(
      'POST /echo',
      { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked', 'Content-Length': undefined },
      '4\r\ntext\r\n0\r\n\r\n',
    ),
  },
];

const WAYS: readonly Program['served'][] = [undefined, 'http.createServer', 'https.createServer'];

parities(
  WAYS.flatMap((served): Program[] => [
    { name: `everything by ${served ?? 'app.listen'}`, served, app: everything, rows },
    { name: `everything by ${served ?? 'app.listen'}, behind a proxy`, served, app: trusting, rows: rows.slice(0, 2) },
  ]),
);
