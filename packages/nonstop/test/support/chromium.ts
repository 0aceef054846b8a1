import fs = require('node:fs');
import path = require('node:path');
import { after } from 'node:test';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** The names of Chromium and of browsers based on it, in the search path. */
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const elsewhere = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of this machine's Chromium: from CHROMIUM, or from the search path. */
const program = process.env['CHROMIUM'] || [...onPath(), ...elsewhere].find((file) => fs.existsSync(file));

/**
 * Why tests that need Chromium are skipped: for `{ skip: noChromium }`. In CI they are never skipped: there a missing
 * Chromium is a failure.
 */
export const noChromium: string | false =
  program === undefined && process.env['CI'] !== 'true'
    ? 'no Chromium here: install it (Debian: apt-get install chromium) or name one with CHROMIUM=/path/to/it'
    : false;

export interface WatchedPage {
  readonly page: Page;
  /** The problems of the page so far: errors and warnings on the console, uncaught errors, failed requests. */
  readonly problems: readonly string[];
  /** Every address that the page has requested, including its own. */
  readonly requested: readonly string[];
}

let browser: Promise<Browser> | undefined;

/**
 * Opens an empty page in a headless Chromium, with separate storage. The browser is shared by the tests of a file and ends
 * after them.
 *
 * @param options as in playwright's `newContext`: `viewport`, `colorScheme`, `javaScriptEnabled`, …
 * @throws {Error} if there is no Chromium
 */
export async function openPage(options: BrowserContextOptions = {}): Promise<WatchedPage> {
  browser ??= launch();
  const context = await (await browser).newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  const requested: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('request', (request) => requested.push(request.url()));
  page.on('requestfailed', (request) => problems.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
  return { page, problems, requested };
}

function launch(): Promise<Browser> {
  if (program === undefined) throw new Error('no Chromium here; .ci/run installs it where it can');
  return chromium.launch({ executablePath: program });
}

after(async () => (await browser)?.close());

function onPath(): string[] {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}
