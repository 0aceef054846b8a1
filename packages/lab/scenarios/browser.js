'use strict';

const { peers } = require('../scenario-parts.js');

/** A browser's request for a page: 15 fields with Host, about 700 bytes with the request line. */
const headers = {
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language': 'en-GB,en;q=0.9,de;q=0.8',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  Referer: 'http://127.0.0.1/previous?page=1',
  'Cache-Control': 'max-age=0',
  Cookie: 'visitor=4711; theme=dark; consent=necessary',
  'Upgrade-Insecure-Requests': '1',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-User': '?1',
  'Sec-CH-UA-Mobile': '?0',
  'Sec-CH-UA-Platform': '"Linux"',
};

const env = { SCENARIO: 'hello' };

/** hello, requested by a browser instead of a load generator. */
module.exports = {
  name: 'browser',
  title: 'hello, browser-like request',
  request: { method: 'GET', path: '/', headers },
  peers: peers(['node:http', 'Express 5', 'Fastify', 'Nonstop'], env),
};
