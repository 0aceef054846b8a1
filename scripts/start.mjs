// npm start: sets up, builds, compares bare node:http, Express 5 and Nonstop, then serves the example application.
import { readCommandLine } from './lib/command-line.mjs';
import { compile, compilePackage } from './lib/compile.mjs';
import { exitCode, headToHead } from './lib/head-to-head.mjs';
import { runningNode } from './lib/nodes.mjs';
import { serveExample, wantedPort } from './lib/serve-example.mjs';
import { main } from './lib/main.mjs';
import { setup } from './lib/setup.mjs';

const usage = `npm start -- [options]
  --once    end after the table
  --quick   one short round to check that everything works; its figures mean little
  PORT=3000 is where the example application listens, or the next free port`;

/** About half a minute for all rows; a sample of 0.4 s has about ten thousand requests. */
const usual = { rounds: 3, seconds: 0.4, warmup: 0.3, connections: 50 };
const quick = { rounds: 1, seconds: 0.2, warmup: 0.1, connections: 10, settled: 200, quick: true };

await main(async () => {
  const { values } = readCommandLine(usage, {
    once: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  });
  // An invalid port is reported now, not after the table.
  if (!values.once) wantedPort();
  await setup(console.log);
  console.log('building');
  await compilePackage();
  await compile('packages/lab/tsconfig.json');
  console.log('comparing; Ctrl-C keeps what is finished');
  const record = await headToHead({
    ...(values.quick ? quick : usual),
    rows: ['hello', 'echo', 'json', 'post-json', 'tracker'],
    nodes: [runningNode],
  });
  process.exitCode = exitCode(record);
  if (!values.once && record.ended !== 'interrupted') await serveExample();
});
