// npm run docs serves the site with live updates; npm run docs:build writes its files.
import { existsSync } from 'node:fs';
import { readCommandLine } from './lib/command-line.mjs';
import { compilePackage } from './lib/compile.mjs';
import { main } from './lib/main.mjs';
import { fromCaller, inRoot } from './lib/paths.mjs';
import { mustRun, mustRunTool } from './lib/run.mjs';
import { setup } from './lib/setup.mjs';

const usage = `npm run docs              serves the site on http://localhost:5173 and shows each change of a page
npm run docs:build        writes it to docs/.vitepress/dist, and fails on a broken link
  --out <folder>          writes it to another folder
  DOCS_BASE=/nonstop/     the path below which the files will be served (default: /)
  DOCS_REPOSITORY=<url>   address of the sources on the web; without it, names of files are not links`;

const aDay = 86_400;

await main(async () => {
  const { values } = readCommandLine(usage, {
    build: { type: 'boolean', default: false },
    out: { type: 'string' },
  });
  await setup(console.log);
  if (!existsSync(inRoot('packages/nonstop/dist/entry/index.d.mts'))) {
    console.log('building the package, whose types are the reference');
    await compilePackage();
  }
  await mustRun(process.execPath, [inRoot('docs/.vitepress/reference/write.mjs')]);
  if (!values.build) {
    await mustRunTool('vitepress', ['dev', inRoot('docs')], { echo: true, seconds: aDay });
    return;
  }
  const out = values.out === undefined ? inRoot('docs', '.vitepress', 'dist') : fromCaller(values.out);
  await mustRunTool('vitepress', ['build', inRoot('docs'), '--outDir', out]);
  console.log(`the site is in ${out}`);
});
