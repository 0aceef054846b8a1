/** The files that node loads of an installed Express and its router, each with a text that Nonstop replaces. */
export const installedExpress = (version: string, router = '2.3.0'): Record<string, string> => ({
  'node_modules/express/package.json': JSON.stringify({ name: 'express', version, main: 'index.js' }),
  'node_modules/express/index.js': 'module.exports = require("./lib/express");',
  // Node 20 reads the names for `import` here.
  'node_modules/express/lib/express.js': 'exports.whose = "its own"; exports.Router = "its own";',
  'node_modules/express/lib/router/layer.js': 'module.exports = "its own";',
  // Express 4 and 5 load these files by path, and agents wait for them there.
  ...Object.fromEntries(
    [
      'lib/application',
      'lib/request',
      'lib/response',
      'lib/view',
      'lib/middleware/query',
      'lib/router/index',
      'lib/router/route',
    ].map((name) => [`node_modules/express/${name}.js`, 'module.exports = "its own";']),
  ),
  'node_modules/path-to-regexp/index.js': '',
  'node_modules/router/package.json': JSON.stringify({ name: 'router', version: router, main: 'index.js' }),
  'node_modules/router/index.js': 'module.exports = "its own";',
  'node_modules/router/lib/layer.js': 'module.exports = "its own";',
  'node_modules/router/lib/route.js': 'module.exports = "its own";',
  'node_modules/express/lib/other.js': 'module.exports = "its own";',
});
