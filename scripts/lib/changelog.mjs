import { parser, Release } from 'keep-a-changelog';

/**
 * Moves "Unreleased" to a version, with an empty "Unreleased" above it.
 * @param {string} text of CHANGELOG.md
 * @param {string} version
 * @param {Date} date
 * @throws {Error} in one line, if there is nothing to release or the version exists already
 */
export function cut(text, version, date) {
  const changelog = parser(text);
  if (changelog.findRelease(version) !== undefined) throw new Error(`CHANGELOG.md already has ${version}`);
  const unreleased = changelog.findRelease();
  if (unreleased === undefined || unreleased.isEmpty()) throw new Error('CHANGELOG.md has nothing under "Unreleased"');
  unreleased.setVersion(version);
  unreleased.setDate(date);
  changelog.addRelease(new Release());
  return changelog.toString();
}

/**
 * Versions with a section, the newest first; without "Unreleased".
 * @param {string} text of CHANGELOG.md
 */
export const released = (text) => parser(text).releases.flatMap(({ version }) => version ?? []);

/**
 * Checks that a tag, the package's version and the changelog name the same release.
 * @param {string} tag such as v5.0.0
 * @param {string} version of package.json
 * @param {string} text of CHANGELOG.md
 * @throws {Error} in one line, if they do not
 */
export function mustAgree(tag, version, text) {
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, but package.json has version ${version}`);
  const [newest = 'none'] = released(text);
  if (newest !== version) throw new Error(`The newest version in CHANGELOG.md is ${newest}, not ${version}`);
}

/**
 * npm's tag for a version: `npm install nonstop` must not install a prerelease.
 * @param {string} version such as 5.3.1-beta.1
 */
export const npmTag = (version) => /^\d+\.\d+\.\d+-([a-z]+)/.exec(version)?.[1] ?? 'latest';
