import assert = require('node:assert/strict');
import { Readable } from 'node:stream';
import { test } from 'node:test';
import * as part from '../../src/node/stream-state.js';

const made = (): Readable => {
  const target = Object.create(Readable.prototype) as Readable;
  part.initializeReadable(target, { highWaterMark: 100 });
  target._read = () => {};
  return target;
};

test('an object becomes a stream', () => {
  assert.deepEqual(part.MISSING_STREAM_STATE, []);
  const target = made();
  assert.equal(target.readableHighWaterMark, 100);
  target.push('octets');
  assert.equal(String(target.read()), 'octets');
});

test('a stream that has stopped reading is not asked for more after a push', async () => {
  for (const further of [true, false]) {
    const target = made();
    let asked = 0;
    target._read = () => void asked++;
    if (!further) part.readNoFurther(target);
    target.push('octets');
    await new Promise((done) => process.nextTick(done));
    assert.equal(asked > 0, further);
  }
});

test('a stream that is marked as ended has ended', () => {
  const target = made();
  part.markEnded(target);
  assert.deepEqual([target.readableEnded, target.destroyed, target.closed], [true, false, false]);
  part.markClosed(target);
  assert.deepEqual([target.readableEnded, target.destroyed, target.closed], [true, true, true]);
});

test('resume() is known of until it takes effect', async () => {
  const target = made();
  assert.equal(part.isResumeScheduled(target), false);
  target.resume();
  assert.equal(part.isResumeScheduled(target), true);
  await new Promise((done) => process.nextTick(done));
  assert.equal(part.isResumeScheduled(target), false);
});
