const fields =
  'X-Parse-Application-Id: an-application\nX-Parse-REST-API-Key: a-key\nContent-Type: application/json\nX-Parse-Revocable-Session: 1';

/** FerretDB has no indexes whose documents expire, and no collations: names are compared as they are. */
function forFerretDb({ Collection, FindCursor }) {
  const { createIndex } = Collection.prototype;
  Collection.prototype.createIndex = function (fields, { expireAfterSeconds, ...options } = {}) {
    return createIndex.call(this, fields, options);
  };
  FindCursor.prototype.collation = function () {
    return this;
  };
}

/** The classes of the requests, with the first value of each field. */
const classes = { Book: { title: 'Zero', pages: 1, tags: ['none'] }, Note: { text: 'none' } };

/** The first object of a class makes its table and fields. A busy FerretDB may refuse the command behind that. */
async function saved(name, fields) {
  const config = require('parse-server/lib/Config').get('an-application');
  const { master } = require('parse-server/lib/Auth');
  for (let left = 5; ; left--)
    try {
      return await require('parse-server/lib/rest').create(config, master(config), name, { ...fields });
    } catch (error) {
      if (left === 0) throw error;
    }
}

module.exports = {
  wants: ['parse-server', 'express'],
  about:
    'mounted, on a database over the MongoDB protocol (FerretDB with SQLite): objects, queries, a batch, users, sessions, permissions, functions, a file, errors',
  folder: 'parse-server',
  // Its batches read what older routers leave on a layer; with router 2.3 they fail on Express, too.
  overrides: { router: '2.2.0' },
  heavy: true,
  seconds: 120,
  service: 'mongodb',
  clock: 'runs',
  env: { TESTING: '1', PARSE_SERVER_LOGS_FOLDER: 'null' },
  masks: [
    [/"(objectId|sessionToken|createdAt|updatedAt|expiresAt|installationId|iso|id|name|url)":"[^"]*"/g, '"$1":"X"'],
    [/"\w{10}":\{"read"/g, '"X":{"read"'],
    [/ETag: .*|Location: .*|X-Parse-Job-Status-Id: .*/gi, ''],
    [/\/(classes\/Book|users|sessions)\/\w{10}/g, '/$1/X'],
    [/\/[0-9a-f]{32}_/g, '/X_'],
  ],
  async start() {
    const express = require('express');
    forFerretDb(require('mongodb'));
    const { ParseServer } = require('parse-server');
    const server = new ParseServer({
      databaseURI: process.env.MONGODB_URL,
      appId: 'an-application',
      restAPIKey: 'a-key',
      masterKey: 'a-master-key',
      serverURL: 'http://localhost/parse',
      allowClientClassCreation: true,
      fileUpload: { enableForPublic: true, enableForAuthenticatedUser: true },
      silent: true,
      databaseOptions: { createIndexUserUsernameCaseInsensitive: false, createIndexUserEmailCaseInsensitive: false },
      cloud: (Parse) => {
        Parse.Cloud.define('hello', ({ params }) => `hello ${params.name}`);
        Parse.Cloud.define('fails', () => {
          throw new Parse.Error(141, 'no');
        });
        Parse.Cloud.beforeSave('Book', ({ object }) => {
          if (object.get('title') === '') throw 'a book has a title';
        });
      },
    });
    await server.start();
    for (const [name, fields] of Object.entries(classes)) await saved(name, fields);
    const app = express();
    app.use('/parse', server.app);
    app.get('/', (req, res) => res.send('an application around it'));
    return app;
  },
  async play({ send }) {
    const ask = async (line, body, more = '') =>
      JSON.parse(
        (await send(`${line}\n${fields}${more}${body === undefined ? '' : `\n\n${JSON.stringify(body)}`}`)).text ||
          '{}',
      );
    await send('GET /');
    await send('GET /parse/health');
    await send('GET /parse/classes/Book');
    await ask('GET /parse/classes/Book');
    const { objectId } = await ask('POST /parse/classes/Book', { title: 'One', pages: 10, tags: ['a', 'b'] });
    await ask('POST /parse/classes/Book', { title: 'Two', pages: 20, tags: ['b'] });
    await ask('POST /parse/classes/Book', { title: '' });
    await ask(`GET /parse/classes/Book/${objectId}`);
    await ask(`PUT /parse/classes/Book/${objectId}`, { pages: { __op: 'Increment', amount: 5 } });
    const query = (where) => `where=${encodeURIComponent(JSON.stringify(where))}`;
    await ask(`GET /parse/classes/Book?${query({ pages: { $gt: 12 } })}&order=title&keys=title`);
    await ask(`GET /parse/classes/Book?${query({ tags: 'b' })}&count=1&limit=1&order=-pages`);
    await ask(`GET /parse/classes/Book?${query({ pages: { $wrong: 1 } })}`);
    await ask('POST /parse/batch', {
      requests: [
        { method: 'POST', path: '/parse/classes/Book', body: { title: 'Three' } },
        { method: 'GET', path: '/parse/classes/None/x', body: {} },
      ],
    });
    const { sessionToken } = await ask('POST /parse/users', {
      username: 'ann',
      password: 'secret',
      email: 'a@a.example',
    });
    await ask('POST /parse/users', { username: 'ann', password: 'other' });
    await ask('POST /parse/login', { username: 'ann', password: 'secret' });
    await ask('POST /parse/login', { username: 'ann', password: 'wrong' });
    const session = `\nX-Parse-Session-Token: ${sessionToken}`;
    await ask('GET /parse/users/me', undefined, session);
    await ask('GET /parse/users/me', undefined, '\nX-Parse-Session-Token: r:none');
    await ask('POST /parse/classes/Note', { text: 'mine', ACL: {} }, session);
    await ask('GET /parse/classes/Note', undefined, session);
    await ask('POST /parse/functions/hello', { name: 'ann' });
    await ask('POST /parse/functions/fails', {});
    await ask('POST /parse/functions/none', {});
    await ask('GET /parse/serverInfo', undefined, '\nX-Parse-Master-Key: a-master-key');
    const file = `\n\nthe text of a file`;
    const { name } = JSON.parse(
      (await send(`POST /parse/files/a.txt\n${fields.replace('application/json', 'text/plain')}${file}`)).text,
    );
    await send(`GET /parse/files/an-application/${name}`);
    await send(`GET /parse/files/an-application/${name}\nRange: bytes=4-7`);
    await ask(`DELETE /parse/classes/Book/${objectId}`);
    await ask('POST /parse/logout', {}, session);
    await send('OPTIONS /parse/classes/Book\nOrigin: https://a.example\nAccess-Control-Request-Method: PUT');
    await send(`POST /parse/classes/Book\n${fields}\n\n{`);
  },
};
