import assert = require('node:assert/strict');
import { test } from 'node:test';
import { inChangedNode } from '../support/without.js';

// The source texts of methods show whether one was replaced. All of node's own methods must match: otherwise node would run the
// responses of all servers on this Node.
test("this Node's methods are known as node's", async () => {
  const found = await inChangedNode(
    '',
    'genuine-methods',
    '[part.areResponsesInstrumented(), part.areRequestsInstrumented(), part.isBodyWatched(new http.IncomingMessage(), http.IncomingMessage.prototype.on), part.isPushWatched(new http.IncomingMessage())]',
  );
  assert.deepEqual(found, [false, false, false, false]);
});

const ofResponses =
  'end writeHead write setHeader getHeader hasHeader removeHeader getHeaderNames getHeaders flushHeaders _implicitHeader ' +
  'assignSocket detachSocket _send _writeRaw _storeHeader _flush _finish on emit uncork _flushOutput';
const ofRequests = '_addHeaderLine _addHeaderLines _dump _destroy destroy emit push read resume';
const ofBodies = 'on emit push read _read resume removeListener';

/** Replaces each method in turn, before or after the file is loaded. */
const asked = (prototype: string, names: string, question: string): string => `
  ${JSON.stringify(names)}.split(' ').map((name) => {
    const own = Object.getOwnPropertyDescriptor(${prototype}, name);
    const given = ${prototype}[name];
    const late = () => { ${prototype}[name] = function (...args) { return given.apply(this, args); }; };
    const answer = () => { try { return question(require(file)); } finally { back(); } };
    const back = () => { if (own) Object.defineProperty(${prototype}, name, own); else delete ${prototype}[name]; };
    const question = ${question};
    const file = Object.keys(require.cache).find((each) => each.endsWith('genuine-methods.js'));
    delete require.cache[file];
    late();
    const before = answer();
    delete require.cache[file];
    require(file);
    late();
    return before && answer() ? '' : name;
  }).filter(Boolean)`;

test('each method that was replaced is seen, before this file was loaded and after', async () => {
  const responses = asked(
    'http.ServerResponse.prototype',
    ofResponses,
    '(loaded) => loaded.areResponsesInstrumented()',
  );
  assert.deepEqual(await inChangedNode('', 'genuine-methods', responses), []);
  const requests = asked('http.IncomingMessage.prototype', ofRequests, '(loaded) => loaded.areRequestsInstrumented()');
  assert.deepEqual(await inChangedNode('', 'genuine-methods', requests), []);
  const bodies = asked(
    'http.IncomingMessage.prototype',
    ofBodies,
    '(loaded) => loaded.isBodyWatched(new http.IncomingMessage(), http.IncomingMessage.prototype.on)',
  );
  assert.deepEqual(await inChangedNode('', 'genuine-methods', bodies), []);
  const own = '{ ...new http.IncomingMessage(), on() {} }';
  const replaced = `part.isBodyWatched(${own}, http.IncomingMessage.prototype.on)`;
  assert.equal(await inChangedNode('', 'genuine-methods', replaced), true);
});
