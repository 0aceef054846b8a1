// `nonstop/http` in place of `node:http`.
import http, {
  createServer,
  Server,
  type Acceleration,
  type IncomingMessage,
  type LeftReason,
  type RequestListener,
  type ServerResponse,
} from 'nonstop/http';
import node = require('node:http');
import https = require('node:https');
import { holds, type Same } from '../programs/expect.js';

const listener: RequestListener = (req, res) => {
  holds<Same<typeof req.url, string | undefined>>();
  res.writeHead(200, { 'Content-Type': 'text/plain' }).end(req.method);
};
const server: node.Server = createServer({ keepAliveTimeout: 1000, maxHeaderSize: 8192 }, listener);
const typed: Server = new Server(listener);
holds<Same<ReturnType<typeof http.accelerate>, boolean>>();
http.accelerate(https.createServer({}, listener));
http.get('http://localhost', (res: IncomingMessage) => void res.statusCode);
declare const response: ServerResponse;
const nodeResponse: node.ServerResponse = response;
holds<Same<ReturnType<typeof http.isAccelerated>, boolean>>();
const { accelerated, reason }: Acceleration = http.explainAcceleration(server);
holds<Same<typeof accelerated, boolean>>();
const left: LeftReason = reason ?? 'switched-off';
// @ts-expect-error -- only a server can be accelerated
http.accelerate({});
// @ts-expect-error -- a size is a number
createServer({ maxHeaderSize: '8kb' });

class Request extends http.IncomingMessage {
  readonly receivedAt: number = Date.now();
}
http.createServer({ IncomingMessage: Request }, (req) => holds<Same<typeof req.receivedAt, number>>());

export { left, nodeResponse, server, typed };
