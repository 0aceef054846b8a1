import assert = require('node:assert/strict');
import { test } from 'node:test';
import { compiled } from '../support/paths.js';
import { inChangedNode, without } from '../support/without.js';

const MODULE = "require('node:module')";

test('each search of require() can be answered', async () => {
  const target = JSON.stringify(compiled('src/node/octets.js'));
  const asked = `(() => {
    const seen = [];
    const done = part.redirectRequire((request, importer, search) => {
      seen.push(request, typeof search('node:fs'));
      return request === 'made-up' ? ${target} : undefined;
    });
    return [done, Object.keys(require('made-up')).includes('latin1'), typeof require('node:os'), seen[0], seen[1]];
  })()`;
  assert.deepEqual(await inChangedNode('', 'module-loading', asked), [true, true, 'object', 'made-up', 'string']);
});

test('the text of a file can be replaced, where it is read and where it is compiled', async () => {
  const asked = `(() => {
    const octets = ${JSON.stringify(compiled('src/node/octets.js'))}, sockets = ${JSON.stringify(compiled('src/node/sockets.js'))};
    const done = [
      part.replaceRead((file) => (file === octets ? 'module.exports = "read"' : undefined)),
      part.replaceCompiled((text, file) => (file === sockets ? 'module.exports = "compiled"' : text.replace('"read"', '"read, compiled"'))),
    ];
    return [...done, require(octets), require(sockets)];
  })()`;
  const expected = [true, true, 'read, compiled', 'compiled'];
  assert.deepEqual(await inChangedNode('', 'module-loading', asked), expected);
});

const gone = {
  redirectRequire: without.member(MODULE, '_resolveFilename'),
  replaceRead: without.member(`${MODULE}._extensions`, '.js'),
  replaceCompiled: without.member(`${MODULE}.prototype`, '_compile'),
};
for (const [name, change] of Object.entries(gone)) {
  test(`${name} says so where a Node has no such function`, async () => {
    const loaded = JSON.stringify(compiled('src/node/module-loading.js'));
    // The file itself must be loaded first.
    const early = `const early = require(${loaded}); ${change}`;
    assert.equal(await inChangedNode(early, 'module-loading', `early.${name}(() => undefined)`), false);
  });
}
