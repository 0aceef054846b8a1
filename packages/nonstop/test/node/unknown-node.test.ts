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

/** What the takeover says of a server in a changed node. */
const decided = async (change: string, options = '{}'): Promise<unknown> => {
  const takeover = JSON.stringify(compiled('src/http/server/takeover.js'));
  const program = `(() => {
    const { accelerate, explainAcceleration } = require(${takeover});
    const server = new http.Server(${options});
    accelerate(server);
    return explainAcceleration(server);
  })()`;
  return inChangedNode(change, 'unknown-node', program);
};
const taken = { accelerated: true };
const unknown = { accelerated: false, reason: 'unknown-node' };

test('explainAcceleration() gives unknown-node as the reason', async () => {
  assert.deepEqual(await decided(''), taken);
  assert.deepEqual(await decided(without.symbol('kTrailersCount')), unknown);
});

test('a server with an option that is new stays with node, and one without it does not', async () => {
  const change = `
    const Given = http.Server;
    http.Server = class Server extends Given {
      constructor(options = {}) {
        super(options);
        this.strictest = options.strictest ?? false;
        this.decide = options.decide ?? (() => true);
        this.state = {};
      }
    };
  `;
  assert.deepEqual(await decided(change), taken);
  assert.deepEqual(await decided(change, '{ strictest: true }'), unknown);
  assert.deepEqual(await decided(change, '{ decide: () => false }'), unknown);
});

test('a Node whose parser accepts a new method serves all servers itself', async () => {
  // Its parser is that of this Node, so the method is one that this package is made to forget.
  const methods = JSON.stringify(compiled('src/wire/methods.js'));
  assert.deepEqual(await decided(`require(${methods}).KNOWN_METHODS.delete('QUERY');`), unknown);
  assert.deepEqual(await decided("http.METHODS.push('NOVEL');"), taken);
});
