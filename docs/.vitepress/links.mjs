import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('..', import.meta.url));

/**
 * Makes links that are written for readers of the repository right for the site: a README.md is its folder's index, and what lies
 * outside of docs/ is a file of the repository on the web, or its path as text where no address of the repository is given.
 *
 * @param {import('vitepress').MarkdownRenderer} md
 * @param {string | undefined} repository its address, without a slash at the end
 */
export function plainLinks(md, repository) {
  md.core.ruler.push('plain-links', (state) => {
    // A heading that is read for its text alone comes without a page.
    const page = state.env?.realPath ?? state.env?.path;
    if (page === undefined) return;
    const folder = path.dirname(page);
    for (const { children } of state.tokens) if (children) adjust(children, folder, repository);
  });
}

/**
 * @param {import('markdown-it').Token[]} tokens of one paragraph or cell
 * @param {string} folder of the page
 * @param {string | undefined} repository
 */
function adjust(tokens, folder, repository) {
  let outside = 0;
  for (const token of tokens) {
    if (token.type === 'link_close' && outside > 0) {
      outside--;
      token.tag = 'span';
    }
    if (token.type !== 'link_open') continue;
    const href = String(token.attrGet('href'));
    if (/^(?:[a-z]+:|[#/])/i.test(href)) continue;
    const [file, fragment] = href.split('#');
    const target = path.resolve(folder, decodeURIComponent(file));
    if (fragment !== undefined && target.endsWith('.md') && existsSync(target) && !anchorsIn(target).has(fragment)) {
      throw new Error(`${folder}: the link to ${href} leads to no heading of that page`);
    }
    if (target.startsWith(docs)) {
      const page = file.replace(/(^|\/)README\.md$/, '$1index.md');
      token.attrSet('href', fragment === undefined ? page : `${page}#${fragment}`);
    } else if (!existsSync(target)) {
      throw new Error(`${folder}: the link to ${href} leads to no file`);
    } else if (repository !== undefined) {
      token.attrSet('href', `${repository}/blob/main/${path.relative(path.dirname(docs), target)}`);
    } else {
      outside++;
      token.tag = 'span';
      token.attrs = [['title', path.relative(path.dirname(docs), target)]];
    }
  }
}

/**
 * A heading's address inside its page, by the rule of GitHub, so that one link serves the site and the repository: lower case, dashes
 * for spaces, and without other punctuation than dashes and underscores.
 *
 * @param {string} heading its text
 */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** @type {Map<string, Set<string>>} */
const anchors = new Map();

/**
 * The anchors of a page: its headings', counted up where two are alike, and those that it sets itself.
 *
 * @param {string} file
 */
function anchorsIn(file) {
  const known = anchors.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8').replaceAll(/^```.*?^```/gms, '');
  const found = new Set(
    Array.from(text.matchAll(/\bid="([^"]+)"|\{#([^}]+)\}/g), ([, id, ofHeading]) => id ?? ofHeading),
  );
  for (const [, heading] of text.matchAll(/^#{1,6} (.*)$/gm)) {
    const anchor = anchorOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
    let name = anchor;
    for (let count = 1; found.has(name); count++) name = `${anchor}-${count}`;
    found.add(name);
  }
  anchors.set(file, found);
  return found;
}
