// npm run examples: the examples whose packages are too heavy for the repository's own, each installed below .build/ and tested.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readCommandLine } from './lib/command-line.mjs';
import { compile, compilePackage } from './lib/compile.mjs';
import { main } from './lib/main.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { setup } from './lib/setup.mjs';

const usage = `npm run examples [-- NAME …]     installs examples into .build/examples/ and tests each on Express and on Nonstop
Without a name all of them: apollo, decorators, nest, next, serverless, socket.io, trpc and vite. It needs npm's registry.`;

await main(async () => {
  const { positionals } = readCommandLine(usage, {}, { words: Infinity });
  const known = onDemand();
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`Unknown example: ${unknown}; use ${known.join(', ')}`);
  const names = positionals.length > 0 ? positionals : known;
  await setup(console.log);
  await compilePackage();
  await compile('tsconfig.tests.json');
  console.log(`Installing and testing ${names.join(', ')}: some 10 s each, next half a minute more.`);
  const file = inRoot('.build/packages/nonstop/test/examples/on-demand/on-demand.test.js');
  const env = { ...process.env, NONSTOP_EXAMPLES: names.join(',') };
  const { status } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', file], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
});

/** Examples that are not workspaces, so that `npm ci` does not install their packages. */
function onDemand() {
  /** @type {{ workspaces: string[] }} */
  const { workspaces } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  return readdirSync(inRoot('examples')).filter((name) => workspaces.includes(`!examples/${name}`));
}
