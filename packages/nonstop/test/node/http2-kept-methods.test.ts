import assert = require('node:assert/strict');
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import * as part from '../../src/node/http2-kept-methods.js';
import { NodeHttp2Response } from '../../src/node/http2-servers.js';
import { inChangedNode, without } from '../support/without.js';

type Methods = Record<string, (...given: unknown[]) => unknown>;

const OWN = { statusCode: 200, sendDate: true, headersSent: false, finished: false, destroyed: false };

test("node's methods of a response call the given ones", () => {
  const called: string[] = [];
  const methods: Methods = { getHeaders: () => ({ known: 'x' }) };
  for (const name of 'write end destroy setTimeout setHeader appendHeader removeHeader writeHead flushHeaders'.split(
    ' ',
  )) {
    methods[name] = (...given) => called.push([name, ...given].join(' ').trimEnd());
  }
  const stream = Object.assign(new PassThrough(), { headRequest: false });
  const res = Reflect.construct(NodeHttp2Response, [stream]) as Methods;
  part.leadNodesMethods(res, methods);
  for (const [name, value] of Object.entries(OWN)) Object.defineProperty(res, name, { value, writable: true });
  assert.equal(res['getHeader']('known'), 'x');
  res['setHeader']('a', 'b');
  res['appendHeader']('a', 'c');
  res['removeHeader']('c');
  res['writeHead'](201, { d: 'e' });
  const head = [
    'setHeader a b',
    'appendHeader a c',
    'removeHeader c',
    'setHeader d e',
    'writeHead 201',
    'flushHeaders',
  ];
  assert.deepEqual(called.splice(0), head);
  res['headersSent'] = true as never;
  res['write']('part');
  res['setTimeout'](7);
  res['end']('last', 'utf8', () => undefined);
  assert.equal(res['listenerCount']('finish'), 1, 'the callback waits for the response, not for the stream');
  res['destroy']();
  res['finished'] = true as never;
  res['end']('after the end');
  assert.deepEqual(called, ['write part', 'setTimeout 7', 'write last utf8', 'end', 'destroy']);
});

test("node's methods do not change on a Node that keeps the stream elsewhere", async () => {
  const asked = `(() => {
    const { Http2ServerResponse } = require('node:http2');
    const res = new Http2ServerResponse(Object.assign(new stream.PassThrough(), { headersSent: true }));
    part.leadNodesMethods(res, {});
    return res.headersSent;
  })()`;
  assert.equal(await inChangedNode(without.symbol('stream'), 'http2-kept-methods', asked), true);
});
