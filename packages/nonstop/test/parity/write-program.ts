import { MODIFIED } from '../support/folder.js';
import { FILE_HELPERS, FILES } from './files-and-views.js';
import { ODD_HELPERS } from './odd-handlers.js';
import { REACHING_HELPERS } from './reaches.js';
import type { HandlerPlan, LayerPlan, ProgramPlan, RequestPlan, ScopePlan } from './random-program.js';

// Part of every program: an answer with everything that a handler can see, and errors that do not depend on where they are created.
const HELPERS = `\
function tell(req, res, err) {
  const { method, url, baseUrl, originalUrl, path, params, query, hostname, protocol, ip, xhr, fresh } = req;
  res.json({
    method, url, baseUrl, originalUrl, path, params, query, hostname, protocol, ip, xhr, fresh,
    route: req.route && String(req.route.path),
    body: 'body' in req ? req.body : 'none',
    locals: { ...res.locals, ...req.app.locals, settings: undefined },
    mounted: [req.app.mountpath, req.app.path(), req.app === res.app].map(String),
    error: err && [err.name, err.message, err.status, String(err)].map(firstLine),
    calls: calls.splice(0),
  });
}
// The message about a missing module goes on with the files that required it.
function firstLine(text) {
  return typeof text === 'string' ? text.split('\\n')[0] : text;
}
function fail(message, status) {
  return Object.assign(new Error(message), status && { status });
}
`;

/** The parameters of the function of {@link programSource}. */
export const PARAMETERS = ['express', 'FOLDER', 'fs', 'require'];

/** @returns the body of a function that creates and returns the application */
export function programSource(plan: ScopePlan & Pick<ProgramPlan, 'files'>): string {
  const writer = new Writer(plan.files === true);
  const app = writer.scope('app', plan);
  return `${HELPERS}${REACHING_HELPERS}${ODD_HELPERS}${plan.files ? FILE_HELPERS : ''}\n${writer.lines.join('\n')}\nreturn ${app};\n`;
}

/** @returns a request of a plan as bytes @param last whether it closes the connection */
export function requestBytes({ line, fields, body, version, chunked }: RequestPlan, last: boolean): Buffer {
  const all = fields.some(([name]) => /^host$/i.test(name)) ? [...fields] : [['Host', 'a.b.example.com'], ...fields];
  if (chunked !== undefined) all.push(['Transfer-Encoding', 'chunked']);
  else if (body !== '') all.push(['Content-Length', String(body.length)]);
  if (last && !fields.some(([name]) => /^connection$/i.test(name))) all.push(['Connection', 'close']);
  const head = `${line} HTTP/${version ?? '1.1'}\r\n${all.map((field) => `${field.join(': ')}\r\n`).join('')}\r\n`;
  return Buffer.from(head + (chunked === undefined ? body : inChunks(body, chunked)), 'latin1');
}

/** @param size of each chunk, in octets */
function inChunks(body: string, size: number): string {
  let text = '';
  for (let at = 0; at < body.length; at += size) {
    const part = body.slice(at, at + size);
    text += `${part.length.toString(16)}\r\n${part}\r\n`;
  }
  return `${text}0\r\n\r\n`;
}

/** @returns a runnable program: `node program.js express`, `node program.js nonstop` */
export function runnable(plan: ProgramPlan): string {
  const bytes = plan.requests.map((request, i) => requestBytes(request, i === plan.requests.length - 1));
  return `\
const express = require(process.argv[2] || 'express');
${plan.files ? CREATES_FOLDER : ''}
const app = (() => {
${programSource(plan)
  .trimEnd()
  .replaceAll(/^(?=.)/gm, '  ')}
})();

if (process.argv[3]) app.set('http engine', process.argv[3]);
const server = app.listen(0, '127.0.0.1', () => {
  const socket = require('node:net').connect(server.address().port, '127.0.0.1');
  socket.pipe(process.stdout);
  socket.on('close', () => server.close());
${bytes.map((each, i) => sending(JSON.stringify(each.toString('latin1')), plan.apart ? i * APART_MS : 0)).join('\n')}
});
`;
}

const CREATES_FOLDER = `\
const fs = require('node:fs');
const path = require('node:path');
const FOLDER = fs.mkdtempSync(path.join(fs.realpathSync(require('node:os').tmpdir()), 'nonstop-'));
process.on('exit', () => fs.rmSync(FOLDER, { recursive: true }));
for (const [name, content] of Object.entries(${JSON.stringify({ ...FILES, 'big.bin': undefined })})) create(name, content);
create('big.bin', 'b'.repeat(${FILES['big.bin'].length}));
function create(name, content) {
  const file = path.join(FOLDER, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  fs.utimesSync(file, ${MODIFIED.getTime() / 1000}, ${MODIFIED.getTime() / 1000});
}
`;

/** Time between two requests of a runnable program that are not sent at once: the one before is answered by then. */
const APART_MS = 200;

const sending = (text: string, after: number): string =>
  after === 0 ? `  socket.write(${text}, 'latin1');` : `  setTimeout(() => socket.write(${text}, 'latin1'), ${after});`;

class Writer {
  readonly lines: string[] = [];
  private scopes = 0;

  /** @param renders whether applications have a view engine */
  constructor(private readonly renders: boolean) {}

  /** Writes the code that creates an application or a router. @returns its name in the program */
  scope(kind: 'app' | 'router', { choices, layers }: ScopePlan): string {
    const name = `${kind}${++this.scopes}`;
    if (kind === 'app') {
      // Otherwise an error page of a mounted application shows the stack.
      this.lines.push(`const ${name} = express().set('env', 'production');`);
      if (this.renders) this.lines.push(`${name}.engine('tpl', engine).engine('md', engine);`);
      for (const [setting, value] of choices) this.lines.push(`${name}.set('${setting}', ${value});`);
    } else {
      const options = choices.map(([option, value]) => `${option}: ${value}`).join(', ');
      this.lines.push(`const ${name} = express.Router(${options === '' ? '' : `{ ${options} }`});`);
    }
    for (const layer of layers) this.layer(name, layer);
    return name;
  }

  private layer(on: string, layer: LayerPlan): void {
    const { lines } = this;
    switch (layer.kind) {
      case 'use':
        lines.push(`${on}.use(${list(layer.path?.source, ...layer.handlers.map(handlerSource))});`);
        break;
      case 'verb':
        lines.push(`${on}.${layer.verb}(${list(layer.path.source, ...layer.handlers.map(handlerSource))});`);
        break;
      case 'route': {
        const verbs = layer.verbs.map(({ verb, handlers }) => `.${verb}(${list(...handlers.map(handlerSource))})`);
        lines.push(`${on}.route(${layer.path.source})${verbs.join('')};`);
        break;
      }
      case 'param':
        lines.push(`${on}.param(${layer.names}, (req, res, next, value, name) => {\n${body(layer.statements)}\n});`);
        break;
      case 'router':
      case 'app': {
        const inner = this.scope(layer.kind, layer);
        lines.push(`${on}.use(${list(layer.path?.source, inner)});`);
      }
    }
  }
}

function handlerSource({ name, takesErrors, isAsync, statements }: HandlerPlan): string {
  if (statements.length === 0) return name;
  const parameters = takesErrors ? 'err, req, res, next' : 'req, res, next';
  return `${isAsync ? 'async ' : ''}function ${name}(${parameters}) {\n${body(statements)}\n}`;
}

const body = (statements: readonly string[]): string => statements.map((each) => `  ${each};`).join('\n');

const list = (...items: readonly (string | undefined)[]): string =>
  items.filter((item) => item !== undefined).join(', ');
