module.exports = {
  wants: ['verdaccio'],
  // One of its packages asks for a tag of node-fetch that the registry does not have.
  overrides: { 'node-fetch': '^2.7.0' },
  about: 'a registry on disk: ping, a user, publishing and reading a package, its tarball, a search, its page',
  folder: 'verdaccio',
  heavy: true,
  seconds: 180,
  first: 'GET /-/ping',
  chunks: false,
  masks: [
    [/"token":"[^"]*"/g, '"token":"X"'],
    [/Content-Length: .*|ETag: .*/gi, ''],
    [/"(created|modified|time|1\.0\.0|date)":"20[^"]*"/g, '"$1":"T"'],
    [/"_rev":"[^"]*"|"rev":"[^"]*"/g, 'R'],
    [/127\.0\.0\.1:\d+/g, 'HOST'],
    [/"pid":\d+/g, ''],
  ],
  async start({ folder }) {
    const { runServer } = require('verdaccio');
    const server = await runServer({
      storage: `${folder}/storage`,
      self_path: folder,
      auth: { htpasswd: { file: `${folder}/htpasswd` } },
      uplinks: {},
      packages: { '**': { access: '$all', publish: '$all', unpublish: '$all' } },
      log: { type: 'stdout', level: 'fatal' },
      web: { enable: true, title: 'a registry' },
      secret: 'a secret of 32 octets, no more ..',
    });
    return server;
  },
  async play({ send }) {
    await send('GET /-/ping');
    await send(
      'PUT /-/user/org.couchdb.user:ann\nContent-Type: application/json\n\n{"name":"ann","password":"secret-secret"}',
    );
    await send('GET /none');
    const data = Buffer.from('a tarball').toString('base64');
    const body = {
      _id: 'thing',
      name: 'thing',
      'dist-tags': { latest: '1.0.0' },
      versions: {
        '1.0.0': {
          name: 'thing',
          version: '1.0.0',
          dist: { shasum: 'x', tarball: 'http://ecosystem.test/thing/-/thing-1.0.0.tgz' },
        },
      },
      _attachments: { 'thing-1.0.0.tgz': { content_type: 'application/octet-stream', data, length: 9 } },
    };
    await send(`PUT /thing\nContent-Type: application/json\n\n${JSON.stringify(body)}`);
    await send('GET /thing');
    await send('GET /thing/-/thing-1.0.0.tgz');
    await send('GET /-/package/thing/dist-tags');
    await send('GET /-/v1/search?text=thing');
    await send('GET /-/verdaccio/data/packages');
    await send('GET /\nAccept: text/html');
    await send('GET /-/whoami');
    await send('GET /thing\nAccept-Encoding: gzip');
  },
};
