// npm run release: sets the version, moves "Unreleased" in the changelog to it, and prints the remaining manual steps.
// npm run release:check: the check of the hosted release before it publishes.
import { readFileSync, writeFileSync } from 'node:fs';
import { readCommandLine } from './lib/command-line.mjs';
import { main } from './lib/main.mjs';
import { inPackage, inRoot } from './lib/paths.mjs';
import { npm } from './lib/run.mjs';
import { setup } from './lib/setup.mjs';

const usage = `npm run release -- 5.0.0-alpha.1        set this version in package.json and CHANGELOG.md
npm run release:check -- v5.0.0-alpha.1 check that this tag, package.json and CHANGELOG.md agree
npm run release:check -- --npm-tag      print npm's tag for the version: alpha, beta, …, or latest`;

await main(async () => {
  const { values, positionals } = readCommandLine(
    usage,
    { check: { type: 'boolean', default: false }, 'npm-tag': { type: 'boolean', default: false } },
    { words: 1 },
  );
  const [word] = positionals;
  const { version } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'));
  await setup(console.error);
  const changelog = await import('./lib/changelog.mjs');
  const file = inRoot('CHANGELOG.md');
  const text = readFileSync(file, 'utf8');
  if (values['npm-tag']) return console.log(changelog.npmTag(version));
  if (word === undefined) throw new Error(`A version is missing\n\n${usage}`);
  if (values.check) return changelog.mustAgree(word, version, text);
  if (!/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/.test(word)) throw new Error(`'${word}' is not a version such as 5.0.0-alpha.1`);
  writeFileSync(file, changelog.cut(text, word, new Date()));
  if (word !== version)
    await npm(['version', word, '--workspace', 'nonstop', '--no-git-tag-version', '--ignore-scripts']);
  console.log(`Look at the change, then:
  git commit --all --message "release: ${word}"
  git tag --sign v${word}
  git push --follow-tags`);
});
