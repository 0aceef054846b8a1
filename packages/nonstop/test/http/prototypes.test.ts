import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import http = require('node:http');
import { test } from 'node:test';
import { SERVER_READS_HEADERS } from '../../src/node/differences.js';
import { eachSameThroughBothDoors, type Scenario } from '../support/both-doors.js';
import { runProgram } from '../support/run-program.js';
import { subject } from '../support/subject.js';

// A program may replace the prototype of a message by one that inherits from node's, as Express does, or create
// an object that inherits from a message. Both must behave as on node.

const REQUEST = 'POST /a?b=c HTTP/1.1\r\nHost: a\r\nX-Two: 1\r\nX-Two: 2\r\nContent-Length: 4\r\n\r\nbody';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

const requestPrototype = Object.create(http.IncomingMessage.prototype) as object;
const responsePrototype = Object.create(http.ServerResponse.prototype) as object;

async function bodyOf(req: http.IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of req) body += String(chunk);
  return body;
}

for (const name of ['ServerResponse', 'IncomingMessage'] as const) {
  test(`${name}.prototype has no member that node's lacks`, () => {
    const ours = (require(`${subject}/http.js`) as typeof http)[name].prototype as object;
    const names = Object.getOwnPropertyNames(ours);
    assert.ok(names.length > 5, names.join());
    assert.deepEqual(
      names.filter((each) => !(each in http[name].prototype)),
      [],
    );
  });
}

const changed: Readonly<Record<string, (req: http.IncomingMessage, res: http.ServerResponse) => unknown>> = {
  'reads fields': (req, res) => res.end(JSON.stringify([req.headers, req.rawHeaders, req.headersDistinct])),
  'reads the body': async (req, res) => res.end(await bodyOf(req)),
  'pipes the body': (req, res) => req.pipe(res),
  'sets fields and ends': (_req, res) => {
    res.setHeader('X-One', '1');
    res.appendHeader('X-One', '2');
    res.end(JSON.stringify([res.getHeaders(), res.getHeaderNames(), res.hasHeader('x-one')]));
  },
  'writes a head': (_req, res) => res.writeHead(201, { 'X-One': '1' }).end('created'),
  'writes in parts': (_req, res) => {
    res.write('one');
    setImmediate(() => res.end('two'));
  },
  'sends trailers': (_req, res) => {
    res.write('one');
    res.addTrailers({ 'X-End': '1' });
    res.end();
  },
  'ends with a callback': (_req, res) => res.end('done', () => res.emit('told')),
  'answers nothing': (_req, res) => res.writeHead(204).end(),
};

const scenarios = Object.entries(changed).flatMap(([name, handle]): Scenario[] =>
  (['at once', 'after a field was set'] as const).map((when) => ({
    name: `a handler that replaces the prototypes ${when} and ${name}`,
    send: REQUEST,
    handler: async (req, res, log) => {
      if (when !== 'at once') res.setHeader('X-Powered-By', 'somebody');
      Object.setPrototypeOf(req, requestPrototype);
      Object.setPrototypeOf(res, responsePrototype);
      for (const event of ['finish', 'close', 'told']) res.on(event, () => log('response', event));
      await handle(req, res);
    },
    check: ({ wire }) => assert.match(wire, /^HTTP\/1\.1 20\d /),
  })),
);

eachSameThroughBothDoors(scenarios);

eachSameThroughBothDoors([
  {
    name: 'an object that inherits from a request gets its body',
    send: REQUEST,
    handler: (req, res) => {
      const inheriting = Object.create(req) as http.IncomingMessage;
      let body = '';
      inheriting.on('data', (chunk: Buffer) => (body += String(chunk)));
      inheriting.on('end', () => res.end(`got ${body}`));
    },
    check: ({ wire }) => assert.match(wire, /got body/),
  },
  ...(['1.1', '1.0'] as const).map((version): Scenario => ({
    name: `an object that inherits from a request of HTTP/${version} has its fields, and what is changed there`,
    send: REQUEST.replace('1.1', version),
    then: 'finish',
    handler: (req, res, log) => {
      const heir = Object.create(req) as http.IncomingMessage;
      heir.headers['x-new'] = 'by the heir';
      log('fields', 'headers', [{ ...heir.headers }, req.headers['x-new'], heir.headers === req.headers]);
      log('fields', 'others', [heir.rawHeaders === req.rawHeaders, heir.headersDistinct === req.headersDistinct]);
      log('fields', 'own', Object.keys(heir));
      heir.headers = { own: '1' };
      log('fields', 'replaced', [heir.headers['own'], req.headers['own']]);
      res.end('x');
    },
  })),
  {
    name: '`for … in` finds the same members of a message',
    send: REQUEST,
    handler: (req, res, log) => {
      for (const message of [req, res]) {
        const names: string[] = [];
        for (const name in message) names.push(name);
        log('members', 'names', names.sort());
      }
      res.end('x');
    },
    check: ({ events }) => assert.match(String(events['members']), /rawHeaders/),
  },
  {
    name: 'prepended listeners get the request',
    send: REQUEST,
    handler: (req, res, log) => {
      req.prependListener('close', () => log('request', 'close'));
      req.prependOnceListener('end', () => log('request', 'end'));
      res.end('x');
    },
    check: ({ events }) => assert.deepEqual(events['request'], ['end', 'close']),
  },
  {
    name: 'prepended listeners of an object that inherits from a request hear of the request',
    send: REQUEST,
    handler: (req, res, log) => {
      const heir = Object.create(req) as http.IncomingMessage;
      heir.prependListener('close', () => log('request', 'close'));
      heir.prependOnceListener('end', () => log('request', 'end'));
      res.end('x');
    },
    check: ({ events }) => assert.deepEqual(events['request'], ['end', 'close']),
  },
]);

const MADE = { toString: () => 'own' };

/** What a program does with an object that inherits from a response. */
const inheriting: Readonly<Record<string, (own: http.ServerResponse) => unknown>> = {
  nothing: () => undefined,
  'sets a field': (own) => own.setHeader('X-Own', 'own'),
  'sets nine fields': (own) => {
    for (let i = 0; i < 9; i++) own.setHeader(`X-Own-${i}`, i);
  },
  'sets a field again': (own) => own.setHeader('x-first', 'own'),
  'removes a field': (own) => own.removeHeader('X-First'),
  'removes and sets a field': (own) => {
    own.removeHeader('X-First');
    own.setHeader('X-Own', 'own');
  },
  'appends to a field': (own) => own.appendHeader('X-First', 'own'),
  'sets a list': (own) => own.setHeader('Set-Cookie', ['a=1', 'b=2']),
  'sets a length': (own) => own.setHeader('Content-Length', 4),
  // What the engine leaves to node's own code.
  'sets a value outside ASCII': (own) => own.setHeader('X-Own', 'caf\xe9'),
  'sets a list outside ASCII': (own) => own.setHeader('X-Own', ['a', 'caf\xe9']),
  'sets an object as a value': (own) => own.setHeader('X-Own', MADE as never),
  'sets a name of digits': (own) => own.setHeader('10', 'own'),
  'sets a field, a name of digits and removes a field': (own) => {
    own.setHeader('X-Own', 'own');
    own.setHeader('10', 'own');
    own.removeHeader('X-First');
  },
  'sets a Transfer-Encoding': (own) => own.setHeader('Transfer-Encoding', 'chunked'),
  'writes a head with pairs': (own) => own.writeHead(201, ['X-Own', 'own']),
  'sets the status': (own) => (own.statusCode = 404),
  'writes a head': (own) => own.writeHead(201, { 'X-Own': 'own' }),
};
// What is ended through it alone is never sent under node.
const ends: Readonly<Record<string, (own: http.ServerResponse, res: http.ServerResponse) => unknown>> = {
  'ends the response': (_own, res) => res.end('body'),
  'ends both': (own, res) => {
    res.on('error', () => undefined);
    res.end('body');
    own.end('more');
  },
};

eachSameThroughBothDoors(
  [true, false].flatMap((first) =>
    Object.entries(inheriting).flatMap(([what, use]) =>
      Object.entries(ends).map(([how, end]): Scenario => ({
        name: `an object that inherits from a response${first ? ' with a field' : ''}: ${what}, ${how}`,
        send: GET,
        handler: (_req, res, log) => {
          if (first) res.setHeader('X-First', 'first');
          const own = Object.create(res) as http.ServerResponse;
          use(own);
          for (const each of [own, res])
            log('fields', 'all', [
              each.getHeaders(),
              each.getHeaderNames(),
              each.hasHeader('x-first'),
              each.headersSent,
            ]);
          end(own, res);
          log('ended', 'all', [own.writableEnded, res.writableEnded]);
        },
      })),
    ),
  ),
);

/** What a program may do to `res.req`, a plain property that node's server does not read before 26.12. */
const otherRequests: Readonly<Record<string, (req: http.IncomingMessage, res: { req?: unknown }) => void>> = {
  'removes res.req': (_req, res) => delete res.req,
  'sets res.req to null': (_req, res) => (res.req = null),
  'sets res.req to an object that inherits from the request': (req, res) => (res.req = Object.create(req)),
};

const replaced = Object.entries(otherRequests).flatMap(([name, replace]): Scenario[] => {
  const answering =
    (answer: (res: http.ServerResponse) => unknown, listens: boolean): Scenario['handler'] =>
    (req, res, log) => {
      replace(req, res);
      if (listens) for (const event of ['finish', 'close']) res.on(event, () => log('response', event));
      if (listens) for (const event of ['end', 'close', 'aborted']) req.on(event, () => log('request', event));
      answer(res);
    };
  const atOnce = answering((res) => res.end('x'), false);
  return [
    { name: `a handler that ${name} and answers`, send: GET, handler: atOnce },
    { name: `a handler that ${name}, listens and answers`, send: GET, handler: answering((res) => res.end('x'), true) },
    {
      name: `a handler that ${name} and answers later`,
      send: GET,
      handler: answering((res) => setImmediate(() => res.end('x')), false),
    },
    {
      name: `a handler that ${name} and answers in parts`,
      send: GET,
      handler: answering((res) => {
        res.write('x');
        setImmediate(() => res.end('y'));
      }, true),
    },
    { name: `a handler that ${name} and answers a request with an unread body`, send: REQUEST, handler: atOnce },
    {
      name: `a handler that ${name} and answers pipelined requests`,
      send: GET + GET + REQUEST + GET,
      answers: 4,
      handler: atOnce,
    },
    {
      name: `a handler that ${name} and whose client hangs up`,
      handler: answering(() => undefined, true),
      ignoreWire: true,
      talk: async (client, { server }) => {
        const called = once(server, 'request') as Promise<[http.IncomingMessage, http.ServerResponse]>;
        await client.send(GET + GET);
        const [, res] = await called;
        const closed = once(res, 'close');
        client.drop();
        await closed;
      },
    },
  ];
});

// Node 26.12 ends the process then (docs/compat): the same release that does not read `headers` first.
if (SERVER_READS_HEADERS) eachSameThroughBothDoors(replaced);

const REAL_EXPRESS = `
  const app = require('express')();
  app.use(require('express').json());
  app.get('/', (req, res) => res.json({ query: req.query, host: req.get('host') !== undefined }));
  app.post('/', (req, res) => res.json(req.body));
  const { createServer } = require(process.argv[1]);
  const server = createServer(app).listen(0, '127.0.0.1', async () => {
    const at = 'http://127.0.0.1:' + server.address().port;
    const json = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } };
    for (const given of [['/?a=1'], ['/none'], ['/', json]]) {
      const answer = await fetch(at + given[0], given[1]);
      console.log(answer.status, (await answer.text()).slice(0, 60));
    }
    process.exit();
  });
`;

test("a real Express on the engine's server answers as on node's", async () => {
  const [onNode, onEngine] = await Promise.all(
    ['node:http', `${subject}/http.js`].map((module) => runProgram({ text: REAL_EXPRESS, args: [module] })),
  );
  assert.match(onNode.stdout, /^200 [^]*\n404 [^]*\n200 \{"a":1\}\n$/);
  assert.deepEqual(onEngine, onNode);
});
