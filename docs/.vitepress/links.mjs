import { existsSync } from 'node:fs';
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
