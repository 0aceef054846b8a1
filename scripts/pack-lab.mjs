// npm run pack:lab: the package nonstop-lab as it is published, in .build/nonstop-lab: the command that measures a user's
// application. The studies and the board need the repository and are not included.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compile } from './lib/compile.mjs';
import { main } from './lib/main.mjs';
import { inRoot } from './lib/paths.mjs';
import { npm } from './lib/run.mjs';
import { setup } from './lib/setup.mjs';

/** Files of packages/lab that the compiled ones load by their path. */
const loaded = ['peers/certificate.js', 'request-options.js', 'src/report/report.css', 'src/wrk.lua'];

const read = (/** @type {string} */ file) => readFileSync(inRoot(file), 'utf8');

await main(async () => {
  await setup(console.error);
  const folder = inRoot('.build', 'nonstop-lab');
  rmSync(folder, { recursive: true, force: true });
  await compile('packages/lab/tsconfig.publish.json');
  const cli = read('.build/nonstop-lab/dist/cli.js');
  writeFileSync(inRoot('.build/nonstop-lab/dist/cli.js'), `#!/usr/bin/env node\n${cli}`, { mode: 0o755 });
  for (const file of loaded) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    copyFileSync(inRoot('packages/lab', file), path.join(folder, file));
  }
  // The removed links lead to files of the repository.
  const readme = read('packages/lab/README.md').replaceAll(/\[([^\]]+)\]\((?:\.\.\/)+[^)]*\)/g, '$1');
  writeFileSync(inRoot('.build/nonstop-lab/README.md'), readme);
  copyFileSync(inRoot('LICENSE'), inRoot('.build/nonstop-lab/LICENSE'));
  const { name, version, description, license, type } = JSON.parse(read('packages/lab/package.json'));
  const { engines } = JSON.parse(read('packages/nonstop/package.json'));
  const { devDependencies } = JSON.parse(read('package.json'));
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { 'nonstop-lab': './dist/cli.js' },
    files: ['dist', ...loaded],
    dependencies: { autocannon: devDependencies.autocannon, nonstop: `^${version}` },
  };
  writeFileSync(inRoot('.build/nonstop-lab/package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const { stdout } = await npm(['pack', '--json', '--pack-destination', folder], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout);
  console.log(inRoot('.build', 'nonstop-lab', filename));
});
