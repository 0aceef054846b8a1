import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noChromium, openPage } from '../support/chromium.js';
import { TrackerProcess } from './tracker-process.js';

const nonstop = {
  name: 'nonstop/register',
  flags: ['--import', 'nonstop/register'],
  env: { NONSTOP_ENGINE: '' },
  by: 'engine',
} as const;

test('an issue that another user opens appears in the list without a reload', { skip: noChromium }, async () => {
  const tracker = new TrackerProcess(nonstop);
  try {
    await tracker.start();
    const home = `http://127.0.0.1:${tracker.surroundings.port}`;
    const reader = await openPage();
    await reader.page.goto(`${home}/issues`);
    const { page: author } = await openPage();
    await author.goto(`${home}/account/signup`);
    await author.getByLabel('Name').fill('lovelace');
    await author.getByLabel(/^Password/).fill('a long password');
    await author.getByRole('button', { name: 'Create the account' }).click();
    await author.goto(`${home}/issues/new`);
    await author.getByLabel('Title').fill('Opened by somebody else');
    await author.locator('main form button.primary').click();
    await reader.page.locator('#list').getByRole('link', { name: 'Opened by somebody else' }).waitFor();
    await reader.page.getByRole('status').getByText('lovelace opened').waitFor();
    assert.deepEqual(reader.problems, []);
  } finally {
    await tracker.dispose();
  }
});
