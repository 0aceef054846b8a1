import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { inRepo } from '../support/paths.js';

// Parts that a single visit cannot show: the first start, the state after a week, and after a quarter of an hour.

interface Throttle {
  secondsToWait(name: string): number;
  failed(name: string): void;
  succeeded(name: string): void;
}
interface SessionStore {
  get(id: string, callback: (error: unknown, session?: unknown) => void): void;
  set(id: string, session: object, callback: (error: unknown) => void): void;
  destroy(id: string, callback: (error: unknown) => void): void;
  sweep(): Promise<void>;
}
type SessionStoreClass = new (table: unknown, options: { lifetimeMs: number; clock: () => Date }) => SessionStore;
interface Store {
  readonly sessions: { keys(): { all(): Promise<string[]> } };
  close(): Promise<void>;
}

const part = (name: string): unknown => require(inRepo('examples/tracker/lib', name));
const { loadSecret } = part('secret.js') as { loadSecret(dataDir: string): Promise<string> };
const { LoginThrottle } = part('login-throttle.js') as { LoginThrottle: new (clock: () => Date) => Throttle };
const { LevelSessionStore } = part('session-store.js') as { LevelSessionStore: SessionStoreClass };
const { openStore } = part('store.js') as { openStore(dataDir: string, clock: () => Date): Promise<Store> };

let now = 0;
const clock = (): Date => new Date(now);

describe('the parts of the tracker', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'nonstop-tracker-parts-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('create a secret on the first start, readable only by its owner, and keep it', async () => {
    const first = await loadSecret(folder);
    assert.match(first, /^[\w-]{32}$/);
    assert.equal(await loadSecret(folder), first);
    assert.equal(statSync(path.join(folder, 'cookie-secret')).mode & 0o777, 0o600);
  });

  it('pause after five wrong passwords of one name, for a quarter of an hour', () => {
    now = 0;
    const throttle = new LoginThrottle(clock);
    for (let n = 0; n < 4; n++) throttle.failed('ada');
    assert.equal(throttle.secondsToWait('ada'), 0);
    throttle.failed('ada');
    assert.equal(throttle.secondsToWait('ada'), 900);
    assert.equal(throttle.secondsToWait('grace'), 0);
    now = 899_000;
    assert.equal(throttle.secondsToWait('ada'), 1);
    now = 900_000;
    assert.equal(throttle.secondsToWait('ada'), 0);
    throttle.failed('ada');
    assert.equal(throttle.secondsToWait('ada'), 0, 'the count begins anew');
  });

  it('reset the count of wrong passwords after the right one', () => {
    const throttle = new LoginThrottle(clock);
    for (let n = 0; n < 5; n++) throttle.failed('ada');
    throttle.succeeded('ada');
    assert.equal(throttle.secondsToWait('ada'), 0);
  });

  it('keep a session until it expires, then remove it', async () => {
    now = 0;
    const store = await openStore(folder, clock);
    try {
      const sessions = new LevelSessionStore(store.sessions, { lifetimeMs: 1000, clock });
      const get = promisify((id: string, done: (error: unknown, session?: unknown) => void) => sessions.get(id, done));
      const set = promisify((id: string, value: object, done: (error: unknown) => void) =>
        sessions.set(id, value, done),
      );
      await set('a', { user: 'ada' });
      now = 999;
      assert.deepEqual(await get('a'), { user: 'ada' });
      await set('b', { user: 'grace' });
      now = 1000;
      assert.equal(await get('a'), null);
      assert.equal(await get('never made'), null);
      await sessions.sweep();
      assert.deepEqual(await store.sessions.keys().all(), ['b']);
      await promisify((id: string, done: (error: unknown) => void) => sessions.destroy(id, done))('b');
      assert.equal(await get('b'), null);
    } finally {
      await store.close();
    }
  });
});
