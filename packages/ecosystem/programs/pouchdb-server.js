module.exports = {
  wants: ['pouchdb-server'],
  about:
    'a database in memory: documents, attachments, bulk, views, shows, lists, changes, replication, users, its errors',
  folder: 'pouchdb-server',
  heavy: true,
  seconds: 120,
  clock: 'runs',
  chunks: false,
  masks: [
    [/"uuid":"[^"]*"/g, 'U'],
    [/[0-9a-f]{32}|[0-9a-f-]{36}/g, 'I'],
    [/20\d\d-\d\d-\d\dT[\d:.]+Z|"instance_start_time":"\d+"/g, 'T'],
    [/ecosystem\.test:\d+/g, 'HOST'],
    [/ETag: .*/gi, ''],
  ],
  async start({ folder }) {
    const net = require('node:net');
    const port = await new Promise((resolve) => {
      const server = net.createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
    });
    process.chdir(folder);
    process.argv = [
      ...process.argv.slice(0, 2),
      '-p',
      String(port),
      '-m',
      '-n',
      '-c',
      `${folder}/pouchdb-${process.pid}.json`,
    ];
    require('pouchdb-server/bin/pouchdb-server');
    const reached = () =>
      new Promise((resolve) => {
        const socket = net.connect(port, '127.0.0.1', () => resolve(!socket.destroyed));
        socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
      });
    while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 50));
    return { port };
  },
  async play({ send, another, port }) {
    const json = (line, value) => send(`${line}\nContent-Type: application/json\n\n${JSON.stringify(value)}`);
    await send('GET /');
    await send('GET /_all_dbs');
    await send('PUT /db');
    await send('PUT /db');
    await send('GET /none');
    const { rev } = JSON.parse((await json('PUT /db/doc', { a: 1 })).text);
    await json('PUT /db/doc', { a: 2 });
    await send('PUT /db/broken\nContent-Type: application/json\n\n{"a":');
    await send(`GET /db/doc\nIf-None-Match: "${rev}"`);
    await send(`PUT /db/doc/note.txt?rev=${rev}\nContent-Type: text/plain\n\nan attached text`);
    await send('GET /db/doc/note.txt');
    await send('GET /db/doc?attachments=true');
    await json('POST /db/_bulk_docs', { docs: [{ _id: 'a', n: 1 }, { _id: 'b', n: 2 }, { _id: 'doc' }] });
    await send('GET /db/_all_docs?include_docs=true');
    await send('GET /db/_all_docs?startkey="b"&limit=1');
    await json('PUT /db/_design/d', {
      views: { n: { map: 'function (doc) { emit(doc.n, 1); }', reduce: '_sum' } },
      shows: { s: 'function (doc, req) { return { body: "<b>" + req.method + "</b>", headers: { "X-A": "b" } }; }' },
      lists: { l: 'function () { var row; while ((row = getRow())) send(row.key + ";"); return "end"; }' },
    });
    await send('GET /db/_design/d/_view/n?reduce=false');
    await send('GET /db/_design/d/_show/s');
    await send('GET /db/_design/d/_list/l/n?reduce=false');
    await json('POST /db/_find', { selector: { n: { $gt: 1 } } });
    const waiting = another().send('GET /db/_changes?feed=longpoll&since=now');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await json('PUT /db/late', {});
    await waiting;
    await send('PUT /copy');
    await json('POST /_replicate', { source: 'db', target: 'copy' });
    await send('GET /copy/_all_docs');
    const user = { _id: 'org.couchdb.user:ann', name: 'ann', password: 'secret', roles: [], type: 'user' };
    await json(`PUT /_users/${user._id}`, user);
    await send('POST /_session\nContent-Type: application/x-www-form-urlencoded\n\nname=ann&password=wrong');
    await send('GET /_utils/');
    await send(`GET /_config/log/level\nHost: 127.0.0.1:${port}`);
    await send('DELETE /db');
  },
};
