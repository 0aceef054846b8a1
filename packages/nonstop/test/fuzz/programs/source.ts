import type { Program, RequestPlan, Statement, Stores } from './program.js';
import { hasStores, stepsOf } from './program.js';

/** The parameters of a handler's source; `test/fuzz/programs/play.ts` and the runnable script supply them. */
export const PARAMETERS = ['req', 'res', 'stream', 'run', 'pause', 'later', 'listen', 'cb', 'data', 'collect'] as const;

/** @returns the body of an asynchronous function: one handler */
export function handlerSource({ guarded, handler, ends }: RequestPlan): string {
  const guards = ['req', 'res'].map((to) => `listen(${to}, '${to} error', 'on', () => {});`);
  const lines = (guarded ? guards : []).concat(handler.map((statement) => statementSource(statement)));
  if (ends === 'body') {
    lines.push(`listen(req, 'req end', 'on', () => {`, `  if (!res.writableEnded) ${call(`res.end('tail')`)}`, '});');
  } else if (ends !== 'never') {
    if (ends !== 'now') lines.push(`await pause('${ends}');`);
    lines.push(`if (!res.writableEnded) ${call(`res.end('tail')`)}`);
  }
  return lines.join('\n');
}

function statementSource(statement: Statement): string {
  switch (statement.do) {
    case 'run':
      return call(statement.code);
    case 'pause':
      return `await pause('${statement.how}');`;
    case 'later':
      return `later('${statement.how}', ${block(statement.then)});`;
    case 'listen': {
      const { to, event, how, then } = statement;
      return `listen(${to}, '${to} ${event}', '${how}', ${block(then)});`;
    }
  }
}

const call = (code: string): string => `run(${JSON.stringify(code)}, () => ${code});`;
const block = (codes: readonly string[]): string =>
  codes.length === 0 ? '() => {}' : `() => {\n${codes.map((code) => `  ${call(code)}`).join('\n')}\n}`;

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

const HANDLE = 'void handlers[n]?.(req, res, tools);';
const IN_STORE: Readonly<Record<Stores['handlers'], string>> = {
  none: HANDLE,
  run: `store.run('request ' + n, () => ${HANDLE.slice(0, -1)});`,
  enter: `store.enterWith('request ' + n);\n  ${HANDLE}`,
};
const LISTEN: Readonly<Record<Stores['connections'], string>> = {
  none: 'listen();',
  listen: `store.run('listen', listen);`,
  connection: `server.prependListener('connection', () => store.enterWith('connection'));\nlisten();`,
};

/** @returns the part of a script that has the handlers and their tools; it ends with `ofServer`, the listener of a server */
export function handlersScript({ requests, stores }: Program): string {
  const handlers = requests.map(
    (request) =>
      `async (req, res, { run, pause, later, listen, cb, data, collect }) => {\n${indent(handlerSource(request))}\n}`,
  );
  return `\
const stream = require('node:stream');
const { AsyncLocalStorage } = require('node:async_hooks');
const { inspect } = require('node:util');
const handlers = [
${indent(handlers.join(',\n'))},
];
const store = new AsyncLocalStorage();
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const pauses = {
  microtask: () => Promise.resolve(),
  tick: () => new Promise((resolve) => process.nextTick(resolve)),
  immediate: () => new Promise((resolve) => setImmediate(resolve)),
  timer: () => sleep(1),
  later: () => sleep(8),
  calm: () => sleep(30),
};
const told = (value) => (value instanceof Error ? String(value.code || value) : value?.socket || value?.server ? '<message>' : inspect(value, { depth: 1, maxStringLength: 60 }));
let count = 0;
const ofServer = (req, res) => {
  if (req.url === '/probe') return res.end('probed');
  const n = count++;
  const note = (text) => console.log(n, text${hasStores(stores) ? ` + ' in ' + store.getStore()` : ''});
  const run = (label, act) => {
    let value;
    try { value = act(); } catch (error) { return note(label + ' threw ' + told(error)); }
    note(label + ' -> ' + told(value));
    if (value instanceof Promise) value.then((v) => note(label + ' resolved ' + told(v)), (e) => note(label + ' rejected ' + told(e)));
  };
  const tools = {
    run,
    pause: (how) => pauses[how](),
    later: (how, act) => void pauses[how]().then(act),
    listen: (emitter, name, how, act) => {
      let times = 0;
      emitter?.[how](name.split(' ')[1], (...args) => { if (++times <= 8) { note(name + ' ' + args.map(told)); act(); } });
    },
    cb: (name) => (...args) => note('callback of ' + name + ' ' + args.map(told)),
    data: (part) => note('data ' + told(part)),
    collect: async (req) => { let text = ''; for await (const part of req) text += part; return text; },
  };
  ${IN_STORE[stores.handlers]}
};
process.on('uncaughtException', (error) => console.log('UNCAUGHT', error.code || error));
`;
}

/** @returns a runnable script: `node program.js node`, `node program.js engine` */
export function runnable(program: Program): string {
  const { server, stores } = program;
  const steps = stepsOf(program).map((step) => JSON.stringify(step));
  return `\
const http = process.argv[2] === 'engine' ? require('nonstop/http') : require('node:http');
${handlersScript(program)}const steps = [
${indent(steps.join(',\n'))},
];
const server = http.createServer(ofServer);
server.httpAllowHalfOpen = ${server.halfOpen};
server.maxRequestsPerSocket = ${server.maxRequests};
${server.continues ? `server.on('checkContinue', ofServer);\n` : ''}${server.clientError ? `server.on('clientError', (error, socket) => { console.log('clientError', error.code); socket.destroy(); });\n` : ''}const play = async () => {
  const client = require('node:net').connect({ port: server.address().port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  client.on('data', (part) => (received += part.toString('latin1')));
  client.on('end', () => { received += '<END>'; client.end(); });
  client.on('error', (error) => (received += '<' + error.code + '>'));
  for (const step of steps) {
    if (step.send) { await sleep(step.await === 'nothing' ? 0 : step.await === 'read' ? 5 : 40); client.writable && client.write(step.send, 'latin1'); }
    else if (step.sleep) await sleep(step.sleep);
    else if (step === 'settle') await sleep(60);
    else if (step === 'probe') client.writable && client.write('GET /probe HTTP/1.1\\r\\nHost: probe\\r\\n\\r\\n');
    else if (step === 'finish') client.end();
    else if (step === 'drop') client.destroy();
    else if (step === 'reset') client.resetAndDestroy();
    else if (step === 'stop reading') client.pause();
    else if (step === 'read on') client.resume();
  }
  await sleep(100);
  console.log(JSON.stringify(received.replaceAll(/Date: [^\\r]*\\r\\n/g, '')));
  process.exit();
};
const listen = () => server.listen(0, '127.0.0.1', play);
${LISTEN[stores.connections]}
`;
}
