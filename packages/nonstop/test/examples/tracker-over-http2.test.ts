import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { noChromium, openPage } from '../support/chromium.js';
import { ask } from '../support/http2-client.js';
import { repoRoot } from '../support/paths.js';
import { TrackerProcess } from './tracker-process.js';
import { differences } from './transcript.js';
import { visitAccount } from './visit-account.js';
import { visitApi } from './visit-api.js';
import { visitIssues } from './visit-issues.js';
import { visitPages } from './visit-pages.js';
import { ComparableVisitor, VisitorOverHttp2 } from './visitor-over-http2.js';

/** The example application over HTTP/2. */
async function tracker(): Promise<{ port: number; versions(): Promise<Record<string, number>>; end(): Promise<void> }> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'nonstop-tracker-'));
  const child = fork(path.join(__dirname, 'tracker-over-http2-child.js'), [dataDir], {
    cwd: repoRoot,
    execArgv: ['--import', 'nonstop/register'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    port,
    /** The number of requests by HTTP version. */
    versions: async () => {
      child.send('versions?');
      return (await once(child, 'message'))[0] as Record<string, number>;
    },
    end: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** The status of the same request over HTTP/1.1, on the same port. */
async function statusOver1(port: number, target: string): Promise<number | undefined> {
  const req = https.get({ host: '127.0.0.1', port, path: target, agent: false, rejectUnauthorized: false });
  const [answer] = (await once(req, 'response')) as [http.IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

async function signUp(page: Page, home: string): Promise<void> {
  await page.goto(`${home}/account/signup`);
  await page.getByLabel('Name').fill('lovelace');
  await page.getByLabel(/^Password/).fill('a long password');
  await page.getByRole('button', { name: 'Create the account' }).click();
}

/** Opens an issue with a file, reads the file, comments, closes the issue, and logs out. */
async function visit(page: Page, home: string): Promise<void> {
  await page.goto(`${home}/issues/new`);
  await page.getByLabel('Title').fill('Opened over HTTP/2');
  const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('a file of an upload\n'.repeat(5000)) };
  await page.getByLabel(/^Attachments/).setInputFiles(file);
  await page.locator('main form button.primary').click();
  const link = await page.getByRole('link', { name: 'notes.txt' }).getAttribute('href');
  const read = await page.evaluate(async (target) => (await fetch(target)).text(), `${home}${link}`);
  assert.equal(read, String(file.buffer));
  await page.getByLabel('Your comment').fill('Said over HTTP/2');
  await page.getByRole('button', { name: 'Comment' }).click();
  await page.locator('#comment-1').getByText('Said over HTTP/2').waitFor();
  await page.getByRole('button', { name: 'Close this issue' }).click();
  await page.getByRole('button', { name: 'Open it again' }).waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('link', { name: 'Sign up' }).waitFor();
}

test(
  'a browser visits the example over HTTP/2: account, upload, comment, live list',
  { skip: noChromium },
  async () => {
    const { port, versions, end } = await tracker();
    try {
      const home = `https://127.0.0.1:${port}`;
      const reader = await openPage({ ignoreHTTPSErrors: true });
      await reader.page.goto(`${home}/issues`);
      const author = await openPage({ ignoreHTTPSErrors: true });
      await signUp(author.page, home);
      await visit(author.page, home);
      await reader.page.locator('#list').getByRole('link', { name: 'Opened over HTTP/2' }).waitFor();
      const protocols = await reader.page.evaluate(() =>
        performance
          .getEntries()
          .flatMap((entry) =>
            'nextHopProtocol' in entry && entry.nextHopProtocol !== '' ? [entry.nextHopProtocol] : [],
          ),
      );
      assert.deepEqual([...new Set(protocols)], ['h2']);
      assert.deepEqual(reader.problems, []);
      // A browser aborts the pending requests of a page when it leaves the page.
      const problems = author.problems.filter((problem) => !problem.endsWith('net::ERR_ABORTED'));
      assert.deepEqual(problems, []);
      const came = await versions();
      assert.deepEqual(Object.keys(came), ['2.0']);
      assert.ok(came['2.0'] > 20, `${came['2.0']} requests`);
    } finally {
      await end();
    }
  },
);

test('a client of HTTP/2 gets the pages of the example on one session', async () => {
  const { port, end } = await tracker();
  const session = http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  try {
    const paths = ['/', '/issues', '/issues/1', '/issues?page=2', '/account/login', '/static/logo.svg', '/absent'];
    const over2 = await Promise.all(paths.map((each) => ask(session, { headers: { ':path': each } })));
    assert.ok(over2.every(({ whole }) => whole));
    const over1 = await Promise.all(paths.map((each) => statusOver1(port, each)));
    assert.deepEqual(
      over2.map(({ status }) => status),
      over1,
    );
    assert.ok(over1.includes(200) && over1.includes(404));
    const zipped = await ask(session, { headers: { ':path': '/issues', 'accept-encoding': 'gzip' } });
    assert.ok(zipped.fields.some(([name, value]) => name === 'content-encoding' && value === 'gzip'));
  } finally {
    session.destroy();
    await end();
  }
});

/** Waits for the line of one more request in the access log: the lines of all others, which may come after their answers, are there too. */
async function askLast(visitor: ComparableVisitor): Promise<void> {
  await visitor.ask('the last request', 404, { path: '/api/nothing?last', cookies: false });
  await visitor.tracker.untilLogged('GET /api/nothing?last 404');
}

test('the whole visit is the same over HTTP/2 as over HTTP/1.1 on Express', { timeout: 120_000 }, async () => {
  const parts = [visitPages, visitAccount, visitIssues, visitApi];
  const onExpress = new TrackerProcess({ name: 'Express', flags: [], env: {}, by: 'node:http' });
  const flags = ['--import', 'nonstop/register'];
  const over2 = new TrackerProcess({ name: 'Nonstop', flags, env: { TRACKER_HTTP2: '1' }, by: 'engine' });
  let session: http2.ClientHttp2Session | undefined;
  try {
    await onExpress.start();
    const expected = new ComparableVisitor(onExpress);
    for (const part of parts) await part(expected);
    await askLast(expected);
    await over2.start();
    session = http2.connect(`http://127.0.0.1:${over2.surroundings.port}`);
    const actual = new VisitorOverHttp2(over2, session);
    for (const part of parts) await part(actual);
    await askLast(actual);
    assert.match(over2.surroundings.framework, /dist.nonstop\.js$/);
    assert.ok(actual.moments.length > 100, `${actual.moments.length} moments`);
    const found = differences(expected.moments, actual.moments);
    assert.ok(found.length === 0, `${found.length} differences\n\n${found.join('\n\n')}`);
    assert.deepEqual(over2.accessLog, onExpress.accessLog);
    assert.deepEqual(over2.stored, onExpress.stored);
  } finally {
    session?.destroy();
    await Promise.all([onExpress.dispose(), over2.dispose()]);
  }
});
