import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('..', import.meta.url));

/** The order of the guide. Pages that are not named here come last; names of pages that are not there are passed over. */
const guide = [
  ['Start', 'getting-started', 'status', 'moving', 'express-4-to-5', 'recipes'],
  [
    'Writing an application',
    'routing',
    'middleware',
    'errors',
    'requests-and-responses',
    'bodies',
    'files',
    'views',
    'sessions',
    'live',
    'testing',
  ],
  [
    'Running it',
    'https',
    'http2',
    'proxy',
    'production',
    'limits',
    'security',
    'debugging',
    'observability',
    'tracing',
    'performance',
    'studies',
    'engine',
  ],
  ['Background', 'troubleshooting', 'versions'],
];

/** @param {string} folder */
const pagesOf = (folder) =>
  existsSync(path.join(docs, folder))
    ? readdirSync(path.join(docs, folder))
        .filter((name) => name.endsWith('.md') && name !== 'README.md')
        .map((name) => name.slice(0, -'.md'.length))
        .sort()
    : [];

/** A page by its first heading. @param {string} folder @param {string} page `''` is the folder's own */
function item(folder, page) {
  const file = path.join(docs, folder, `${page || 'README'}.md`);
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
  return { text: title.replaceAll('`', ''), link: `/${folder}/${page}` };
}

/** @param {string} text @param {string} folder @param {string[]} [pages] */
const group = (text, folder, pages = pagesOf(folder)) => ({ text, items: pages.map((page) => item(folder, page)) });

/** @returns {import('vitepress').DefaultTheme.SidebarItem[]} */
function guideGroups() {
  const there = pagesOf('guide');
  const named = new Set(guide.flat());
  const groups = guide.map(([text, ...pages]) =>
    group(
      text,
      'guide',
      pages.filter((page) => there.includes(page)),
    ),
  );
  groups.at(-1)?.items.push(...there.filter((page) => !named.has(page)).map((page) => item('guide', page)));
  return groups;
}

/** What the types of `nonstop` are about, in this order; those of `nonstop/v4` and pages of other entries by their names. */
const types = [
  'framework',
  'application',
  'request',
  'response',
  'router',
  'route',
  'middleware',
  'handlers',
  'params-from-path',
  'global',
];

/** @param {'types' | 'v4' | 'entries'} kind */
function apiPages(kind) {
  const there = pagesOf('reference/api');
  if (kind === 'types') return types.filter((page) => there.includes(page));
  return there.filter((page) => !types.includes(page) && page.startsWith('v4-') === (kind === 'v4'));
}

const internals = [
  group('How it is built', 'internals', ['', ...pagesOf('internals')]),
  { ...group('Decisions', 'decisions', ['', ...pagesOf('decisions')]), collapsed: false },
];

/** @type {import('vitepress').DefaultTheme.Sidebar} */
export const sidebar = {
  '/guide/': guideGroups(),
  '/compat/': [group('What differs', 'compat', ['', ...pagesOf('compat')])],
  '/reference/': [
    group('Reference', 'reference', ['', ...pagesOf('reference')]),
    group('nonstop', 'reference/api', apiPages('types')),
    group('nonstop/v4', 'reference/api', apiPages('v4')),
    group('Other entries', 'reference/api', apiPages('entries')),
  ],
  '/internals/': internals,
  '/decisions/': internals,
};

export const nav = [
  { text: 'Guide', link: '/guide/getting-started', activeMatch: '/guide/' },
  { text: 'Reference', link: '/reference/', activeMatch: '/reference/' },
  { text: 'Differences', link: '/compat/', activeMatch: '/compat/' },
  { text: 'How it is built', link: '/internals/', activeMatch: '/(internals|decisions)/' },
];
