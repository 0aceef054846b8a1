'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { createApp } = require('../../../examples/tracker/app');
const announce = require('./announce');

/** The example application with fifty issues and a clock that stands still, so that every process has the same issues. */
async function main() {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'tracker-bench-'));
  const clock = () => new Date('2026-01-01T12:00:00Z');
  const { app, close } = await createApp({ dataDir, clock, seed: 50, log: false, secret: 'not a secret here' });
  announce(app.listen(Number(process.env.PORT), '127.0.0.1'));
  process.once('SIGTERM', async () => {
    await close();
    fs.rmSync(dataDir, { recursive: true, force: true });
    process.exit();
  });
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
