import { defineConfig } from 'vitepress';
import { anchorOf, plainLinks } from './links.mjs';
import { nav, sidebar } from './navigation.mjs';

// DOCS_BASE is the path below which the site is served, `/nonstop/` for one; DOCS_REPOSITORY the address of the sources on the web.
const base = process.env['DOCS_BASE'] ?? '/';
const repository = process.env['DOCS_REPOSITORY'];

export default defineConfig({
  title: 'Nonstop',
  description: 'Runs Express applications unchanged, at a lower cost per request than node:http',
  lang: 'en',
  base,
  cleanUrls: true,
  // A page that links to a page that is not there fails the build. Addresses of the samples' own servers are no pages.
  ignoreDeadLinks: 'localhostLinks',
  srcExclude: ['node_modules/**'],
  // On the web's view of the repository a folder opens with its README.md, on the site with its index.
  rewrites: {
    'README.md': 'index.md',
    ':folder/README.md': ':folder/index.md',
    ':folder/:sub/README.md': ':folder/:sub/index.md',
  },
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}logo.svg` }],
    ['meta', { name: 'theme-color', content: '#0f766e' }],
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    anchor: { slugify: anchorOf },
    config: (md) => plainLinks(md, repository),
  },
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    logo: '/logo.svg',
    nav,
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    docFooter: { prev: 'Before', next: 'Next' },
    footer: {
      message: 'MIT. Nonstop is Express-compatible; it is not part of the Express project.',
      copyright: 'Express is a trademark of the OpenJS Foundation.',
    },
    ...(repository === undefined ? {} : { editLink: { pattern: `${repository}/edit/main/docs/:path` } }),
  },
});
