module.exports = {
  wants: ['azurite'],
  about:
    'its blob service on disk: containers, blobs with ranges and conditions, blocks, a lease, a copy, lists, wrong signatures',
  folder: 'azurite',
  heavy: true,
  seconds: 120,
  clock: 'runs',
  chunks: false,
  first: 'GET /the-first',
  masks: [
    [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, 'I'],
    [/0x[0-9A-F]{8,}/g, 'E'],
    [/20\d\d-\d\d-\d\dT[\d:.]+Z|\w{3}, \d\d \w{3} 20\d\d [\d:]{8} GMT/g, 'T'],
    [/127\.0\.0\.1:\d+/g, 'HOST'],
  ],
  async start({ folder }) {
    process.argv = [
      ...process.argv.slice(0, 2),
      '--silent',
      '--skipApiVersionCheck',
      '--disableTelemetry',
      '--location',
      `${folder}/azurite-${process.pid}`,
      '--blobPort',
      '0',
      '--loose',
    ];
    const { default: BlobEnvironment } = require('azurite/dist/src/blob/BlobEnvironment');
    const { BlobServerFactory } = require('azurite/dist/src/blob/BlobServerFactory');
    const server = await new BlobServerFactory().createServer(new BlobEnvironment());
    await server.start();
    return server.httpServer;
  },
  async play({ send }) {
    const account = 'devstoreaccount1';
    const query = signature(account);
    const blob = (method, target, fields = [], body) => {
      const line = `${method} /${account}/box${target}${target.includes('?') ? '&' : '?'}${query}`;
      const head = [line, 'x-ms-version: 2021-10-04', ...fields].join('\n');
      return send(body === undefined ? `${head}\nContent-Length: 0` : `${head}\n\n${body}`);
    };
    const get = (target, ...fields) =>
      send([`GET /${account}/box${target}${target.includes('?') ? '&' : '?'}${query}`, ...fields].join('\n'));
    await blob('PUT', '?restype=container');
    await blob('PUT', '?restype=container');
    await get('?restype=container');
    const text = ['x-ms-blob-type: BlockBlob', 'Content-Type: text/plain', 'x-ms-meta-Owner: Ann'];
    await blob('PUT', '/a.txt', text, 'a text of some length');
    await get('/a.txt');
    await get('/a.txt', 'Range: bytes=2-5');
    await get('/a.txt', 'x-ms-range: bytes=7-');
    await get('/a.txt', 'Range: bytes=999-');
    await get('/a.txt', 'If-None-Match: *');
    await get('/a.txt', 'If-Modified-Since: Wed, 01 Jan 2031 00:00:00 GMT');
    await get('/a.txt', 'If-Match: "none"');
    await get('/none');
    await blob('PUT', '/b.txt', [...text, 'Content-MD5: AAAAAAAAAAAAAAAAAAAAAA=='], 'wrong');
    for (const id of ['MQ%3D%3D', 'Mg%3D%3D'])
      await blob('PUT', `/blocks?comp=block&blockid=${id}`, [], `the block ${id};`);
    await get('/blocks?comp=blocklist&blocklisttype=all');
    await blob(
      'PUT',
      '/blocks?comp=blocklist',
      ['Content-Type: application/xml'],
      '<?xml version="1.0"?><BlockList><Latest>MQ==</Latest><Latest>Mg==</Latest></BlockList>',
    );
    await get('/blocks', 'Range: bytes=8-24');
    await blob('PUT', '/blocks?comp=blocklist', ['Content-Type: application/xml'], '<BlockList><Lat');
    await blob('PUT', '/a.txt?comp=lease', ['x-ms-lease-action: acquire', 'x-ms-lease-duration: 15']);
    await blob('DELETE', '/a.txt');
    await get('?restype=container&comp=list&include=metadata');
    await send(`GET /${account}/box/a.txt?sv=2021-10-04&sig=wrong`);
    await send('GET /%zz');
    await send('GET /');
  },
};

/** @returns the query of a shared access signature, made with the emulator's published key */
function signature(account) {
  const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
  const [rights, end, version] = ['rwdlacupitfx', '2030-01-01T00:00:00Z', '2021-10-04'];
  const text = [account, rights, 'bqt', 'sco', '', end, '', '', version, '', ''].join('\n');
  const made = require('node:crypto').createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
  return `sv=${version}&ss=bqt&srt=sco&sp=${rights}&se=${encodeURIComponent(end)}&sig=${encodeURIComponent(made)}`;
}
