import http = require('node:http');
import assert = require('node:assert/strict');
import { eachSameThroughBothDoors, type Scenario } from '../support/both-doors.js';

const head = (line: string): string => `${line}\r\nHost: a\r\n\r\n`;

const targets = [
  '/',
  '/a/b?c=d&e',
  '/?',
  '//double//slash',
  '/%2e%2e/%00',
  '/a;b,c:d@e!f$g&h(i)*+=~_-.',
  '/caf\xe9',
  '/fragment#part',
  '/quote"<>^`{|}',
  '/back\\slash',
  'http://other.example/absolute?x=1',
  'https://other.example:8443/',
  'HTTP://UPPER.example/',
  'ftp://other.example/file',
  `/${'long'.repeat(1000)}`,
];

const accepted: Scenario[] = targets.map((target) => ({
  name: `the target ${target.slice(0, 40)} reaches the handler unchanged`,
  send: head(`GET ${target} HTTP/1.1`),
}));

const methods: Scenario[] = http.METHODS.filter((method) => method !== 'CONNECT').map((method) => ({
  name: `the method ${method} is known`,
  send: head(`${method} /m HTTP/1.1`),
  methods: [method],
  check: ({ wire }) => assert.match(wire, /^HTTP\/1\.1 200 /),
}));

const refusedLines: readonly (readonly [name: string, line: string])[] = [
  ['an unknown method', 'FROB / HTTP/1.1'],
  ['a lower case method', 'get / HTTP/1.1'],
  ['a method cut short', 'GE / HTTP/1.1'],
  ['a method with a letter too many', 'GETS / HTTP/1.1'],
  ['the HTTP/2 preface method', 'PRI * HTTP/2.0'],
  ['no target', 'GET HTTP/1.1'],
  ['an empty target between two spaces', 'GET  HTTP/1.1'],
  ['two spaces before the target', 'GET  / HTTP/1.1'],
  ['two spaces before the version', 'GET /  HTTP/1.1'],
  ['a tab before the target', 'GET\t/ HTTP/1.1'],
  ['a tab inside the target', 'GET /a\tb HTTP/1.1'],
  ['a space before the method', ' GET / HTTP/1.1'],
  ['a space after the version', 'GET / HTTP/1.1 '],
  ['a target that starts with a letter', 'GET path HTTP/1.1'],
  ['a target that is a star for GET', 'GET * HTTP/1.1'],
  ['a star for OPTIONS', 'OPTIONS * HTTP/1.1'],
  ['a star followed by more', 'OPTIONS *x HTTP/1.1'],
  ['a target with a NUL', 'GET /a\0b HTTP/1.1'],
  ['a target with DEL', 'GET /a\x7fb HTTP/1.1'],
  ['a target with a control byte', 'GET /a\x01b HTTP/1.1'],
  ['a target with a form feed', 'GET /a\x0cb HTTP/1.1'],
  ['an absolute target without a slash', 'GET http:other HTTP/1.1'],
  ['an absolute target without a host', 'GET http:// HTTP/1.1'],
  ['an absolute target with a space', 'GET http://a b/ HTTP/1.1'],
  ['an absolute target with user and password', 'GET http://u:p@host/ HTTP/1.1'],
  ['an absolute target with two at signs', 'GET http://u@v@host/ HTTP/1.1'],
  ['an absolute target that ends in a query', 'GET http://host?q HTTP/1.1'],
  ['an absolute target with an IPv6 host', 'GET http://[::1]:80/ HTTP/1.1'],
  ['a scheme with a digit', 'GET h2c://host/ HTTP/1.1'],
  ['a lower case protocol', 'GET / http/1.1'],
  ['another protocol', 'GET / ICE/1.0'],
  ['the RTSP protocol', 'GET / RTSP/1.0'],
  ['a protocol cut short', 'GET / HTP/1.1'],
  ['version 2.0', 'GET / HTTP/2.0'],
  ['version 0.9', 'GET / HTTP/0.9'],
  ['version 1.2', 'GET / HTTP/1.2'],
  ['version 3.0', 'GET / HTTP/3.0'],
  ['version 11', 'GET / HTTP/11'],
  ['version 1.', 'GET / HTTP/1.'],
  ['version 1.10', 'GET / HTTP/1.10'],
  ['version 01.1', 'GET / HTTP/01.1'],
  ['a version with a letter', 'GET / HTTP/1.x'],
  ['a version with a comma', 'GET / HTTP/1,1'],
  ['version 1.0 with a target', 'GET /old HTTP/1.0'],
  ['a line without a version', 'GET /'],
  ['a line of HTTP/0.9 with a trailing space', 'GET / '],
  ['a method alone', 'GET'],
  ['a colon in the method', 'GE:T / HTTP/1.1'],
  ['a byte order mark first', '\xef\xbb\xbfGET / HTTP/1.1'],
  ['a NUL first', '\0GET / HTTP/1.1'],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a status line', 'HTTP/1.1 200 OK'],
  ['SOURCE with HTTP', 'SOURCE / HTTP/1.1'],
  ['SOURCE with ICE', 'SOURCE / ICE/1.0'],
  ['DESCRIBE of RTSP', 'DESCRIBE /x RTSP/1.0'],
  ['PLAY of RTSP', 'PLAY / HTTP/1.1'],
  ['CONNECT with a path and no listener', 'CONNECT /x HTTP/1.1'],
];

const judged: Scenario[] = refusedLines.map(([name, line]) => ({
  name: `${name} is judged as node judges it`,
  send: head(line),
  answers: 0,
  then: 'finish',
  judging: true,
  setup: (server, log) =>
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      log('server', 'clientError', error.code);
      socket.end('HTTP/1.1 400 Told by the listener\r\nConnection: close\r\n\r\n');
    }),
}));

const around: Scenario[] = [
  { name: 'empty lines before the request line are skipped', send: `\r\n\r\n\r\n${head('GET / HTTP/1.1')}` },
  { name: 'bare newlines before the request line are skipped', send: `\n\n${head('GET / HTTP/1.1')}` },
  {
    name: 'a lone carriage return before the request line has the same result',
    send: `\r${head('GET / HTTP/1.1')}`,
    then: 'finish',
    answers: 0,
  },
  {
    name: 'a request line that ends in a bare newline has the same result',
    send: 'GET / HTTP/1.1\nHost: a\r\n\r\n',
    then: 'finish',
    answers: 0,
  },
  {
    name: 'a request line that ends in a bare carriage return has the same result',
    send: 'GET / HTTP/1.1\rHost: a\r\n\r\n',
    then: 'finish',
    answers: 0,
  },
  {
    name: 'a head of bare newlines has the same result',
    send: 'GET / HTTP/1.1\nHost: a\n\n',
    then: 'finish',
    answers: 0,
  },
  { name: 'an HTTP/1.0 request needs no Host', send: 'GET /ten HTTP/1.0\r\n\r\n', then: 'wait' },
  { name: 'a request line byte by byte is one request', send: [...head('GET /bytes?x=1 HTTP/1.1')] },
];

eachSameThroughBothDoors([...accepted, ...methods, ...judged, ...around]);
