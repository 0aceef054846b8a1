import http = require('node:http');
import { handlers, parities, request } from './stage.js';

const UPLOAD = request('POST /', {}, 'abc');
const CHUNKED = request(
  'POST /',
  { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' },
  '3\r\nabc\r\n0\r\n\r\n',
);

/** Ends a body as undici does that could not be sent on: it keeps the connection of a message that it knows for an answer. */
function giveUp(req: http.IncomingMessage): boolean {
  const isNodes = (Object.getPrototypeOf(req) as object).constructor === http.IncomingMessage;
  if (isNodes) (req as { socket: unknown }).socket = null;
  req.destroy(new Error('not sent'));
  return isNodes;
}

parities([
  handlers("the class that a message says it is of: node's", [
    [
      'constructor',
      ({ req, res }) =>
        res.json([
          req.constructor === http.IncomingMessage,
          res.constructor === http.ServerResponse,
          req.constructor.name,
        ]),
      undefined,
      /\[true,true,"IncomingMessage"\]/,
    ],
    [
      'a request whose body could not be sent on',
      ({ req, res }) => res.status(502).send(String(giveUp(req))),
      UPLOAD,
      /502.*true/s,
    ],
    [
      'the same, later',
      ({ req, res }) => void setTimeout(() => res.status(502).send(String(giveUp(req))), 5),
      UPLOAD,
      /502.*true/s,
    ],
    [
      'the same with chunks',
      ({ req, res }) => void setTimeout(() => res.status(502).send(String(giveUp(req))), 5),
      CHUNKED,
      /502.*true/s,
    ],
  ]),
]);
