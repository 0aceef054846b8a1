import assert = require('node:assert/strict');
import { test } from 'node:test';
import { REASONS_TO_LEAVE } from '../../src/node/unknown-node.js';
import { compiled } from '../support/paths.js';
import { inChangedNode, without } from '../support/without.js';

test('this Node has everything that is needed, and nothing unknown', () => {
  assert.deepEqual(REASONS_TO_LEAVE, []);
});

const gone: Readonly<Record<string, string>> = {
  _addHeaderLine: without.member('http.IncomingMessage.prototype', '_addHeaderLine'),
  _addHeaderLineDistinct: without.member('http.IncomingMessage.prototype', '_addHeaderLineDistinct'),
  _dump: without.member('http.IncomingMessage.prototype', '_dump'),
  _writeRaw: without.member('http.OutgoingMessage.prototype', '_writeRaw'),
  resumeScheduled: `
    stream.Readable = class extends stream.Readable {
      constructor() {
        super();
        const has = (state, name) => name !== 'resumeScheduled' && name in state;
        this._readableState = new Proxy(this._readableState, { has });
      }
    };
  `,
  latin1Slice: without.member('Buffer.prototype', 'latin1Slice'),
};
for (const [name, change] of Object.entries(gone)) {
  test(`a Node without ${name} serves all servers itself`, async () => {
    assert.deepEqual(await inChangedNode(change, 'unknown-node', 'part.REASONS_TO_LEAVE'), [name]);
  });
}

test('a Node whose messages have new state serves all servers itself', async () => {
  const change = `
    const Given = http.ServerResponse;
    http.ServerResponse = class ServerResponse extends Given { _novelty = 1; };
  `;
  assert.deepEqual(await inChangedNode(change, 'unknown-node', 'part.REASONS_TO_LEAVE'), ['_novelty']);
});

test('it says so', async () => {
  const { takeover } = { takeover: JSON.stringify(compiled('src/http/server/takeover.js')) };
  const program = `(() => {
    const { accelerate, explainAcceleration } = require(${takeover});
    const server = http.createServer();
    return [accelerate(server), explainAcceleration(server)];
  })()`;
  assert.deepEqual(await inChangedNode(without.symbol('kTrailersCount'), 'unknown-node', program), [
    false,
    { accelerated: false, reason: 'unknown-node' },
  ]);
});
