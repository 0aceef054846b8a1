import fs = require('node:fs');
import path = require('node:path');
import { after } from 'node:test';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** What Chromium, or a browser that is one, is called where programs are looked for. */
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

const elsewhere = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of this machine's Chromium: CHROMIUM says it, or else it is looked for. */
const program = process.env['CHROMIUM'] || [...onPath(), ...elsewhere].find((file) => fs.existsSync(file));

/**
 * Why tests that need Chromium are skipped: for `{ skip: noChromium }`. In CI they are not: there a Chromium that is
 * missing is a failure.
 */
export const noChromium: string | false =
  program === undefined && process.env['CI'] !== 'true'
    ? 'no Chromium here: install it (Debian: apt-get install chromium) or name one with CHROMIUM=/path/to/it'
    : false;

export interface WatchedPage {
  readonly page: Page;
  /** What went wrong in the page so far: errors and warnings on the console, uncaught errors, requests that failed. */
  readonly problems: readonly string[];
  /** Every address that the page asked for, its own included. */
  readonly requested: readonly string[];
}

let browser: Promise<Browser> | undefined;

/**
 * Opens an empty page in a headless Chromium of its own storage. The browser is shared by the calling file and ends
 * after its tests.
 *
 * @param options as playwright's `newContext` takes them: `viewport`, `colorScheme`, `javaScriptEnabled`, …
 * @throws {Error} when there is no Chromium
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
