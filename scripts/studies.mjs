// npm run studies: the tables of docs/guide/studies.md, from records of the lab.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readCommandLine } from './lib/command-line.mjs';
import { fill } from './lib/figure-pages.mjs';
import { labModule } from './lib/head-to-head.mjs';
import { main } from './lib/main.mjs';
import { fromCaller, inRoot } from './lib/paths.mjs';
import { mustRunTool } from './lib/run.mjs';
import { keptStudy, studyText } from './lib/studies.mjs';

const usage = `npm run studies [-- STUDY.json …]
  STUDY.json    complete records of npm run lab -- study: their medians replace those of the same study in docs/.vitepress/studies.json,
                which is committed
Without a record the page is filled from docs/.vitepress/studies.json.

  npm run lab -- study hello --node 20,24
  npm run studies -- packages/lab/results/…-study-hello.json`;

const file = inRoot('docs/.vitepress/studies.json');

await main(async () => {
  const { positionals } = readCommandLine(usage, {}, { words: Infinity });
  /** @type {Record<string, import('./lib/studies.mjs').KeptStudy>} */
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  for (const record of positionals) {
    const study = keptStudy(JSON.parse(readFileSync(fromCaller(record), 'utf8')), labModule);
    kept[study.study] = study;
  }
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  await mustRunTool('oxfmt', [file]);
  const page = inRoot('docs/guide/studies.md');
  let text = readFileSync(page, 'utf8');
  for (const [name, study] of Object.entries(kept)) text = fill(text, studyText(study), `study ${name}`);
  writeFileSync(page, text);
  console.log(`docs/guide/studies.md has the figures of ${Object.keys(kept).join(', ')}`);
});
