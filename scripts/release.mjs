// npm run release: sets the version, moves "Unreleased" in the changelog to it, and prints the remaining manual steps.
// npm run release:check: the check of the hosted release before it publishes.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readCommandLine } from './lib/command-line.mjs';
import { main } from './lib/main.mjs';
import { inPackage, inRoot } from './lib/paths.mjs';
import { npm } from './lib/run.mjs';
import { setup } from './lib/setup.mjs';

const usage = `npm run release -- 5.3.1-beta.1        set this version in both packages and CHANGELOG.md
npm run release:check -- v5.3.1-beta.1 check that this tag, the packages and CHANGELOG.md agree
npm run release:check -- --npm-tag      print npm's tag for the version: alpha, beta, …, or latest`;

await main(async () => {
  const { values, positionals } = readCommandLine(
    usage,
    { check: { type: 'boolean', default: false }, 'npm-tag': { type: 'boolean', default: false } },
    { words: 1 },
  );
  const [word] = positionals;
  const versionIn = (/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8')).version;
  const version = versionIn(inPackage('package.json'));
  await setup(console.error);
  const changelog = await import('./lib/changelog.mjs');
  const file = inRoot('CHANGELOG.md');
  const text = readFileSync(file, 'utf8');
  if (values['npm-tag']) return console.log(changelog.npmTag(version));
  if (word === undefined) throw new Error(`A version is missing\n\n${usage}`);
  if (values.check) {
    const ofLab = versionIn(inRoot('packages', 'lab', 'package.json'));
    if (ofLab !== version) throw new Error(`nonstop is ${version}, nonstop-lab is ${ofLab}`);
    return changelog.mustAgree(word, version, text);
  }
  if (!/^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/.test(word)) throw new Error(`'${word}' is not a version such as 5.3.1-beta.1`);
  writeFileSync(file, changelog.cut(text, word, new Date()));
  if (word !== version) {
    setVersion(word);
    await npm(['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']);
  }
  console.log(`Look at the change, then:
  git commit --all --message "release: ${word}"
  git tag --sign v${word}
  git push --follow-tags`);
});

/**
 * Sets the version of both packages, and the range of each package here that depends on nonstop: a range such as `^5.3.0`
 * does not accept a prerelease, and npm would look for another copy.
 * @param {string} version
 */
function setVersion(version) {
  for (const name of ['packages/nonstop', 'packages/lab'])
    replaceIn(`${name}/package.json`, /"version": "[^"]*"/, `"version": "${version}"`);
  for (const parent of ['packages', 'examples'])
    for (const name of readdirSync(inRoot(parent)))
      replaceIn(`${parent}/${name}/package.json`, /"nonstop": "\^[^"]*"/, `"nonstop": "^${version}"`);
  replaceIn('deploy/helm/nonstop/Chart.yaml', /appVersion: .*/, `appVersion: '${version}'`);
}

/** @param {string} name of a file, which may be missing @param {RegExp} part @param {string} text */
function replaceIn(name, part, text) {
  const file = inRoot(name);
  if (existsSync(file)) writeFileSync(file, readFileSync(file, 'utf8').replace(part, text));
}
