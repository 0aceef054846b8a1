module.exports = {
  wants: ['redis-commander'],
  about: 'its page, files, sign-in and API without a database',
  folder: 'redis-commander',
  heavy: true,
  seconds: 120,
  clock: 'runs',
  masks: [
    [/Content-Length: .*|ETag: .*/gi, ''],
    [/[\w-]+\.[\w-]+\.[\w-]{20,}/g, 'TOKEN'],
  ],
  env: { NODE_CONFIG: '{"noSave":true,"noLogData":true,"redis":{"connections":[]}}', SUPPRESS_NO_CONFIG_WARNING: '1' },
  start({ folder }) {
    const path = require('node:path');
    const home = path.join(folder, '../../node_modules/redis-commander');
    process.env.NODE_CONFIG_DIR = path.join(home, 'config');
    process.chdir(home);
    const create = require(path.join(home, 'lib/app'));
    return create([]);
  },
  requests: [
    'GET /',
    'GET /healthcheck',
    'GET /css/default.css',
    'POST /signin\nContent-Type: application/x-www-form-urlencoded\n\nusername=&password=',
    'GET /apiv2/server/info',
    'GET /nowhere',
  ],
};
