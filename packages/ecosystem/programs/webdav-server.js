module.exports = {
  wants: ['webdav-server', 'express'],
  about: 'a file system in memory, mounted: reading, writing, properties, locks, copies, moves, broken XML',
  start() {
    const webdav = require('webdav-server').v2;
    const server = new webdav.WebDAVServer({ version: '1' });
    const app = require('express')();
    app.use(webdav.extensions.express('/dav', server));
    app.get('/', (req, res) => res.send('beside the files'));
    return app;
  },
  requests: [
    'OPTIONS /dav/',
    'PUT /dav/a.txt\nContent-Type: text/plain\n\nhello €',
    'GET /dav/a.txt',
    'GET /dav/a.txt\nRange: bytes=1-3',
    'HEAD /dav/a.txt',
    'GET /dav/none.txt',
    'MKCOL /dav/folder',
    'MKCOL /dav/folder',
    'MKCOL /dav/none/folder',
    'PUT /dav/folder/b.txt\nTransfer-Encoding: chunked\n\n5\r\nhello\r\n0\r\n\r\n',
    'PUT /dav/c.txt\nExpect: 100-continue\n\nhi',
    'PROPFIND /dav/\nDepth: 1\nContent-Type: text/xml\n\n<?xml version="1.0"?><propfind xmlns="DAV:"><allprop/></propfind>',
    'PROPFIND /dav/a.txt\nDepth: 0',
    'PROPFIND /dav/\nDepth: 1\nContent-Type: text/xml\n\n<?xml',
    'PROPPATCH /dav/a.txt\nContent-Type: text/xml\n\n<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:z"><D:set><D:prop><Z:a>1</Z:a></D:prop></D:set></D:propertyupdate>',
    'COPY /dav/a.txt\nDestination: http://ecosystem.test/dav/folder/a.txt',
    'MOVE /dav/folder/a.txt\nDestination: http://ecosystem.test/dav/d.txt\nOverwrite: F',
    'POST /dav/a.txt\n\nx',
    'REPORT /dav/',
    'DELETE /dav/d.txt',
    'DELETE /dav/d.txt',
    'GET /',
  ],
  async play({ send }) {
    const body =
      '<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>ann</D:owner></D:lockinfo>';
    const lock = await send(`LOCK /dav/a.txt\nContent-Type: text/xml\nTimeout: Second-100\n\n${body}`);
    await send('PUT /dav/a.txt\n\nlocked?');
    await send(`UNLOCK /dav/a.txt\nLock-Token: ${lock.get('lock-token')}`);
    await send('PUT /dav/a.txt\n\nagain');
  },
};
