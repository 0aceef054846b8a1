// npm run figures: the figures of README.md, of the site's front page and of the guide, from records of the lab.
import { readFileSync, writeFileSync } from 'node:fs';
import { readCommandLine } from './lib/command-line.mjs';
import { compile } from './lib/compile.mjs';
import { verdictsOf } from './lib/budgets.mjs';
import { filled } from './lib/figure-pages.mjs';
import { figuresOf } from './lib/figures.mjs';
import { labModule } from './lib/head-to-head.mjs';
import { main } from './lib/main.mjs';
import { fromCaller, inRoot } from './lib/paths.mjs';
import { mustRunTool } from './lib/run.mjs';

const usage = `npm run figures [-- BOARD.json [STUDY.json …]]
  BOARD.json    a complete record of npm run lab -- board: its medians become docs/.vitepress/figures.json, which is committed
  STUDY.json    records of npm run lab -- study: contestants that are ahead of Nonstop are named with their figures
Without a record the pages are filled from docs/.vitepress/figures.json.

  npm run lab -- board --node 20,22,24,26 --rounds 5 --seconds 1 --warmup 1
  npm run lab -- study hello --node 24 --contestants 'Bun.serve,node:http,Express 5,Nonstop'`;

const kept = inRoot('docs/.vitepress/figures.json');

await main(async () => {
  const { positionals } = readCommandLine(usage, {}, { words: Infinity });
  await compile('packages/lab/tsconfig.json');
  const lab = { shareOf: labModule('board/share.js').shareOf, boardRows: labModule('board/rows.js').boardRows };
  const [board, ...studies] = positionals.map((file) => JSON.parse(readFileSync(fromCaller(file), 'utf8')));
  const figures = board === undefined ? JSON.parse(readFileSync(kept, 'utf8')) : figuresOf(board, lab, studies);
  writeFileSync(kept, `${JSON.stringify(figures, null, 2)}\n`);
  await mustRunTool('oxfmt', [kept]);
  const verdicts = verdictsOf(figures, labModule('board/judge.js').judgeShare, lab.boardRows);
  for (const name of ['README.md', 'docs/guide/performance.md']) {
    const file = inRoot(name);
    writeFileSync(file, filled(name, readFileSync(file, 'utf8'), figures, verdicts));
    console.log(`${name} has the figures of ${figures.date}, commit ${figures.commit}`);
  }
});
