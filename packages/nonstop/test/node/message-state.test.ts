import assert = require('node:assert/strict');
import http = require('node:http');
import { test } from 'node:test';
import { RESPONSES_PRESET_EVENTS } from '../../src/node/differences.js';
import * as state from '../../src/node/message-state.js';
import { inChangedNode, without } from '../support/without.js';

const major = Number(process.versions.node.split('.', 1)[0]);

/** The symbols that only some versions of Node have, and since when. */
const since: Readonly<Record<string, number>> = {
  kSocket: 22,
  kChunkedBuffer: 22,
  kChunkedLength: 22,
  kWritableFinished: 24,
  kEndCallbacks: 24,
  kFlushError: 24,
};
/** The state of `req.signal`, and `kLenientCache`, came with minor versions. */
const SIGNAL = 'kAbortController kAbortSignalSocket kAbortSignalListener kAbortSignalDetached kDetachAbortSignal'.split(
  ' ',
);

const symbols = Object.entries(state).filter(([name]) => /^k[A-Z]/.test(name));

test('node keeps its state under the symbols that this version has', () => {
  const missing = symbols.filter(([, symbol]) => symbol === undefined).map(([name]) => name);
  const expected = Object.keys(since).filter((name) => major < since[name]);
  assert.deepEqual(
    missing.filter((name) => !SIGNAL.includes(name)),
    RESPONSES_PRESET_EVENTS ? expected : [...expected, 'kLenientCache'],
  );
  const ofSignal = missing.filter((name) => SIGNAL.includes(name));
  const hasSignal = 'signal' in http.IncomingMessage.prototype;
  assert.deepEqual(ofSignal, hasSignal ? [] : SIGNAL.filter((name) => ofSignal.includes(name)));
  assert.equal(ofSignal.length, hasSignal ? 0 : SIGNAL.length);
});

const needed =
  'kHeaders kHeadersCount kTrailers kTrailersCount kOutHeaders corked kNeedDrain errored kBytesWritten kHighWaterMark kRejectNonStandardBodyWrites kUniqueHeaders IncomingMessage ServerResponse';
test('each symbol that every Node has is missed where one lacks it', async () => {
  const names = needed.split(' ');
  const found = await Promise.all(
    names.map((name) => inChangedNode(without.symbol(name), 'message-state', 'part.MISSING_STATE')),
  );
  assert.deepEqual(
    found,
    names.map((name) => [name]),
  );
});

for (const name of ['IncomingMessage', 'ServerResponse']) {
  test(`state that is new on ${name} is seen`, async () => {
    const change = `
      const Given = http.${name};
      http.${name} = class ${name} extends Given { _novelty = 1; [Symbol('kNovelty')] = 2; };
    `;
    const found = await inChangedNode(change, 'message-state', 'part.UNKNOWN_STATE');
    assert.deepEqual(found, ['_novelty', 'Symbol(kNovelty)']);
  });

  test(`all state is missed where a Node makes no ${name} without a connection`, async () => {
    const change = `http.${name} = class ${name} extends http.${name} { constructor() { throw new TypeError('a connection is needed'); } };`;
    const found = (await inChangedNode(change, 'message-state', 'part.MISSING_STATE')) as string[];
    assert.ok(found.includes(name === 'IncomingMessage' ? 'kHeaders' : 'kOutHeaders'), String(found));
  });
}

test('the names that the engine uses are those of node', () => {
  const res = new http.ServerResponse({ method: 'GET', headers: {}, httpVersionMajor: 1 } as http.IncomingMessage);
  const ofResponse =
    '_events _eventsCount _maxListeners _header _headerSent _hasBody _contentLength _trailer _last _closed _removedConnection ' +
    '_removedContLen _removedTE _defaultKeepAlive _keepAliveTimeout _expect_continue _sent100 outputData outputSize _onPendingData';
  assert.deepEqual(
    // A response with places for its events counts its listeners from the first one on.
    ofResponse
      .split(' ')
      .filter((name) => !Object.hasOwn(res, name) && !(RESPONSES_PRESET_EVENTS && name === '_eventsCount')),
    [],
  );
  const req = new http.IncomingMessage(undefined as never);
  assert.deepEqual(
    ['_events', '_eventsCount', '_dumped', '_consuming', '_readableState'].filter((name) => !(name in req)),
    [],
  );
});
