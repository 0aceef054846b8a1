import assert from 'node:assert/strict';
import { AnswerReader } from '../support/raw-answer.js';
import { linesOf } from './transcript.js';
import { form, type Visitor } from './visitor.js';

/** Stops the tracker while streams are open, starts it again on the same data, and checks the data. */
export async function visitAfterRestart(visitor: Visitor): Promise<void> {
  visitor.leave();
  assert.equal(await visitor.tracker.stop(), 0, 'the exit code of a tracker that was asked to stop');
  for (const { name, client, decode } of visitor.streamsAtShutdown) {
    const [answer] = new AnswerReader().push(await client.untilClose());
    visitor.record(name, [
      ...linesOf({ ...answer, body: decode(answer.body) }),
      `trailing bytes: ${client.received.length - answer.raw.length}`,
    ]);
    client.drop();
  }
  await visitor.tracker.start();
  await visitor.ask('after a restart: still logged in', 200, { path: '/account' });
  await visitor.ask('after a restart: the issue', 200, { path: '/issues/51' });
  await visitor.ask('after a restart: the list', 200, { path: '/issues' });
  await visitor.ask('after a restart: the attachment', 200, { path: '/issues/51/attachments/2' });
  await visitor.ask('after a restart: the token', 401, {
    method: 'POST',
    path: '/api/issues',
    fields: { Authorization: 'Bearer token-2-1' },
  });
  await visitor.ask('after a restart: a new issue', 303, {
    path: '/issues',
    ...form({ title: 'Written after the restart' }),
  });
  await visitor.ask('after a restart: its page', 200, { path: '/issues/58' });
  await visitor.ask('after a restart: logging out', 303, { path: '/account/logout', ...form({}) });
  visitor.leave();
  assert.equal(await visitor.tracker.stop(), 0);
}
