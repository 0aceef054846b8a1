// One side of a row: runs a program, sends its requests and records the answers. Arguments: the program, the file to
// write.
'use strict';
const diagnostics = require('node:diagnostics_channel');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { Client } = require('./client.cjs');
const { nestedRoutes } = require('./nested-routes.cjs');
const { holdChance, holdClock } = require('./steady.cjs');

const [file, output] = process.argv.slice(2);

/** Number of requests of the row's own server, by the server that answered. */
const served = { engine: 0, 'node:http': 0 };
/** The transcript, in order, which is compared with the other side's. */
const transcript = [];
let port;
let counts = false;

/** The engine keeps a request's connection under this symbol. */
const madeByEngine = (request) =>
  Object.getOwnPropertySymbols(request).some(({ description }) => description === 'nonstop.connection');

const count = (request) => {
  if (counts && request.socket?.localPort === port) served[madeByEngine(request) ? 'engine' : 'node:http']++;
};
diagnostics.subscribe('http.server.request.start', ({ request }) => count(request));

main().then(
  () => finish({}),
  (error) => finish({ error: String(error?.stack ?? error) }),
);
process.on('uncaughtException', (error) => finish({ error: `uncaught: ${String(error?.stack ?? error)}` }));

async function main() {
  holdChance();
  const program = require(file);
  if (program.clock !== 'runs') holdClock();
  const note = (what, value) => transcript.push({ note: what, value: plain(value) });
  const made = await program.start({ folder: path.dirname(file), note, nestedRoutes });
  port = await listening(made);
  if (made instanceof http.Server) hearUpgrades(made);
  // A server that the program created itself is taken over at its first request, which is sent here and not counted.
  if (typeof made !== 'function' || program.first !== undefined) await warm(program.first ?? 'GET /the-first');
  counts = true;
  const client = new Client(port, { jar: program.jar !== false });
  const send = (text, binary) => sendAndNote(client, text, binary);
  for (const request of program.requests ?? []) await send(request);
  if (program.play !== undefined) {
    const another = () => {
      const own = new Client(port);
      return { send: (text, binary) => sendAndNote(own, text, binary), client: own };
    };
    await program.play({ send, note, port, origin: `http://127.0.0.1:${port}`, client, another });
  }
}

/** @returns the port of an application, a server, or `{ port }` */
function listening(made) {
  if (typeof made?.port === 'number') return made.port;
  const server = typeof made === 'function' ? made.listen(0, '127.0.0.1') : made;
  if (server.listening) return server.address().port;
  if (typeof made !== 'function') server.listen(0, '127.0.0.1');
  if (server instanceof http.Server) hearUpgrades(server);
  return new Promise((resolve, reject) => {
    server.once('listening', () => resolve(server.address().port));
    server.once('error', reject);
  });
}

const heard = new WeakSet();

/** Requests that leave HTTP are not published; if they have a listener, another listener changes nothing. */
function hearUpgrades(server) {
  if (heard.has(server)) return;
  heard.add(server);
  for (const event of ['upgrade', 'connect'])
    if (server.listenerCount(event) > 0) server.prependListener(event, (request) => count(request));
}

async function warm(first) {
  const client = new Client(port, { jar: false });
  const cut = first.indexOf('\n');
  await client.send(
    cut < 0 ? `${first}\nConnection: close` : `${first.slice(0, cut)}\nConnection: close${first.slice(cut)}`,
  );
  client.close();
}

async function sendAndNote(client, text, binary) {
  const { interim, answer } = await client.send(text, binary);
  transcript.push({ request: text.split('\n', 1)[0], interim: interim.map(told), ...told(answer) });
  const value = (name) => answer.fields.find(([each]) => each.toLowerCase() === name)?.[1];
  return { status: Number(answer.status.split(' ')[1]), get: value, text: answer.body.toString(), body: answer.body };
}

/** An answer without Date, the only field that is not compared. */
function told({ status, fields, body, chunks, trailers, closed }) {
  const text = body.toString();
  return {
    status,
    fields: fields.filter(([name]) => name.toLowerCase() !== 'date').map((field) => field.join(': ')),
    body: Buffer.from(text).equals(body) ? text : body.toString('base64'),
    ...(chunks && { chunks }),
    ...(trailers?.length > 0 && { trailers }),
    ...(closed && { closed }),
  };
}

/** @returns a value as JSON keeps it; errors by name and message */
function plain(value) {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** The versions of Express that were loaded or replaced, installed beside the program or a package. */
function expressAround() {
  const versions = new Set();
  const folders = Object.keys(require.cache).map((name) => name.replace(/(node_modules[\\/]express)[\\/].*$/s, '$1'));
  for (const folder of new Set(folders.filter((name) => /node_modules[\\/]express$/.test(name))))
    versions.add(JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version);
  return [...versions].sort((a, b) => (a < b ? -1 : 1));
}

let finished = false;
function finish({ error }) {
  if (finished) return;
  finished = true;
  fs.writeFileSync(output, JSON.stringify({ transcript, served, express: expressAround(), error }));
  process.exit(error === undefined ? 0 : 1);
}
