/** The meaning of a stream of octets. `requests` in short: request line, body, names and values of fields and trailers. */
export interface WireCase {
  name: string;
  input: string;
  requests: {
    line: string;
    fields?: string[];
    body?: string;
    trailers?: string[];
    persistent?: boolean;
    open?: boolean;
  }[];
  error?: string;
}

const HOST = 'Host: a\r\n';
const GET = `GET / HTTP/1.1\r\n`;
const POST = `POST / HTTP/1.1\r\n${HOST}`;
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`;
const chunkedRequest = (body: string, trailers: string[] = []): WireCase['requests'] => [
  { line: 'POST / 1.1', fields: ['Host', 'a', 'Transfer-Encoding', 'chunked'], body, trailers },
];
/** Of chunk sizes, but 0, in both cases. */
const DIGITS = '123456789abcdefABCDEF';
const dataOf = (size: string): string => 'x'.repeat(Number.parseInt(size, 16));
const got = (fields: string[], line = 'GET / 1.1'): WireCase['requests'] => [
  { line, fields: ['Host', 'a', ...fields] },
];

/** Messages that node's parser (llhttp, strict) accepts, with its results. */
export const accepted: WireCase[] = [
  { name: 'a plain request', input: `${GET}${HOST}\r\n`, requests: got([]) },
  { name: 'a request without fields', input: 'GET / HTTP/1.1\r\n\r\n', requests: [{ line: 'GET / 1.1', fields: [] }] },
  { name: 'empty lines before a request', input: `\r\n\n\r${GET}${HOST}\r\n`, requests: got([]) },
  { name: 'spaces around the target', input: `GET   /x   HTTP/1.1\r\n${HOST}\r\n`, requests: got([], 'GET /x 1.1') },
  { name: 'a field without a value', input: `${GET}${HOST}X:\r\nY: \r\n\r\n`, requests: got(['X', '', 'Y', '']) },
  { name: 'whitespace around a value', input: `${GET}${HOST}X: \ta b\t \r\n\r\n`, requests: got(['X', 'a b']) },
  { name: 'obs-text in a value', input: `${GET}${HOST}X: \x80\xff\r\n\r\n`, requests: got(['X', '\x80\xff']) },
  {
    name: 'a name of every tchar',
    input: `${GET}${HOST}!#$%&'*+-.^_\`|~09azAZ: v\r\n\r\n`,
    requests: got(["!#$%&'*+-.^_`|~09azAZ", 'v']),
  },
  {
    name: 'a target of every visible octet',
    input: `GET /"<>^\`{|}\\?#?# HTTP/1.1\r\n${HOST}\r\n`,
    requests: got([], 'GET /"<>^`{|}\\?#?# 1.1'),
  },
  {
    name: 'a target of more than 64 octets',
    input: `GET /${'x'.repeat(70)}?#~ HTTP/1.1\r\n${HOST}\r\n`,
    requests: got([], `GET /${'x'.repeat(70)}?#~ 1.1`),
  },
  {
    name: 'absolute-form',
    input: `GET ftp://u:p@a:9/b HTTP/1.1\r\n${HOST}\r\n`,
    requests: got([], 'GET ftp://u:p@a:9/b 1.1'),
  },
  { name: 'asterisk-form', input: `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, requests: got([], 'OPTIONS * 1.1') },
  {
    name: 'HTTP/1.0',
    input: `GET / HTTP/1.0\r\n\r\n`,
    requests: [{ line: 'GET / 1.0', fields: [], persistent: false }],
  },
  {
    name: 'HTTP/1.0 that stays',
    input: `GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n`,
    requests: [{ line: 'GET / 1.0', fields: ['Connection', 'Keep-Alive'], persistent: true }],
  },
  { name: 'HTTP/0.9', input: `GET /\r\n\r\n`, requests: [{ line: 'GET / 0.9', fields: [], persistent: false }] },
  {
    name: 'Connection as a list',
    input: `${GET}Connection: foo, Close\r\n\r\n`,
    requests: [{ line: 'GET / 1.1', fields: ['Connection', 'foo, Close'], persistent: false }],
  },
  {
    name: 'an option that only starts with close',
    input: `${GET}Connection: closed\r\n\r\n`,
    requests: [{ line: 'GET / 1.1', fields: ['Connection', 'closed'], persistent: true }],
  },
  {
    name: 'a body of one octet, and the next request',
    input: `${POST}Content-Length: 1\r\n\r\nX${GET}\r\n`,
    requests: [
      { line: 'POST / 1.1', fields: ['Host', 'a', 'Content-Length', '1'], body: 'X' },
      { line: 'GET / 1.1', fields: [] },
    ],
  },
  {
    name: 'a body by Content-Length, and the next request',
    input: `${POST}Content-Length: 005\r\n\r\nhello${GET}\r\n`,
    requests: [
      { line: 'POST / 1.1', fields: ['Host', 'a', 'Content-Length', '005'], body: 'hello' },
      { line: 'GET / 1.1', fields: [] },
    ],
  },
  {
    name: 'a body that looks like a request',
    input: `${POST}Content-Length: 18\r\n\r\nGET /x HTTP/1.1\r\n\r${GET}\r\n`,
    requests: [
      { line: 'POST / 1.1', fields: ['Host', 'a', 'Content-Length', '18'], body: 'GET /x HTTP/1.1\r\n\r' },
      { line: 'GET / 1.1', fields: [] },
    ],
  },
  {
    name: 'pipelined requests',
    input: `${GET}\r\n`.repeat(5),
    requests: Array.from({ length: 5 }, () => ({ line: 'GET / 1.1', fields: [] })),
  },
  {
    name: 'a chunked body',
    input: `${CHUNKED}5\r\nhello\r\n00a\r\n0123456789\r\n0\r\n\r\n`,
    requests: chunkedRequest('hello0123456789'),
  },
  {
    name: 'chunk sizes in both cases',
    input: `${CHUNKED}A\r\n0123456789\r\nb\r\n0123456789a\r\n000\r\n\r\n`,
    requests: chunkedRequest('01234567890123456789a'),
  },
  {
    name: 'chunk sizes of every digit',
    input: `${CHUNKED}${[...DIGITS, '1a'].map((size) => `${size}\r\n${dataOf(size)}\r\n`).join('')}0\r\n\r\n`,
    requests: chunkedRequest([...DIGITS, '1a'].map(dataOf).join('')),
  },
  {
    name: 'line ends inside chunk data',
    input: `${CHUNKED}4\r\n\r\n\r\n\r\n0\r\n\r\n`,
    requests: chunkedRequest('\r\n\r\n'),
  },
  {
    name: 'chunk extensions',
    input: `${CHUNKED}1;a;b=c;d="e;\\"\t";f=;g="";h="\\"";i\r\nx\r\n0;z\r\n\r\n`,
    requests: chunkedRequest('x'),
  },
  {
    name: 'trailers',
    input: `${CHUNKED}0\r\nX: y\r\nZ:w \r\n\r\n`,
    requests: chunkedRequest('', ['X', 'y', 'Z', 'w']),
  },
  {
    name: 'a request behind a chunked body, and one behind trailers',
    input: `${CHUNKED}1\r\nx\r\n0\r\n\r\n${CHUNKED}0\r\nX: y\r\n\r\nGET /3 HTTP/1.1\r\n\r\n`,
    requests: [...chunkedRequest('x'), ...chunkedRequest('', ['X', 'y']), { line: 'GET /3 1.1', fields: [] }],
  },
  {
    name: 'requests whose fields repeat, around one in a form that only the scanner reads',
    input: `${GET}${HOST}\r\n`.repeat(3) + CHUNKED.replace(' ', '  ') + '0\r\n\r\n' + `${GET}${HOST}\r\n`.repeat(2),
    requests: [...got([]), ...got([]), ...got([]), ...chunkedRequest(''), ...got([]), ...got([])],
  },
  {
    name: 'chunked behind another coding',
    input: `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`,
    requests: [{ line: 'POST / 1.1', fields: ['Host', 'a', 'Transfer-Encoding', 'gzip, chunked'], body: 'x' }],
  },
  {
    name: 'line ends after the last request',
    input: `${GET}Connection: close\r\n\r\n\r\n\n`,
    requests: [{ line: 'GET / 1.1', fields: ['Connection', 'close'], persistent: false }],
  },
];

const refuse = (name: string, input: string, error: string, requests: WireCase['requests'] = []): WireCase => ({
  name,
  input,
  error,
  requests,
});
const inBody: WireCase['requests'] = [{ line: 'POST / 1.1', open: true }];
const inData: WireCase['requests'] = [{ line: 'POST / 1.1', body: 'x', open: true }];
const TOKEN = 'HPE_INVALID_HEADER_TOKEN: Invalid header token';
const VALUE = 'HPE_INVALID_HEADER_TOKEN: Invalid header value char';
const SIZE = 'HPE_INVALID_CHUNK_SIZE: Invalid character in chunk size';
const LENGTH = 'HPE_INVALID_CONTENT_LENGTH: Invalid character in Content-Length';
const CODING = 'HPE_INVALID_TRANSFER_ENCODING: Invalid `Transfer-Encoding` header value';
const NO_LENGTH = 'HPE_INVALID_TRANSFER_ENCODING: Request has invalid `Transfer-Encoding`';

/** Streams that must never become a request, or must stop: code and reason are llhttp's. */
export const refused: WireCase[] = [
  refuse('a method in lower case', `get / HTTP/1.1\r\n`, 'HPE_INVALID_METHOD: Invalid method encountered'),
  refuse('an unknown method', `FOO / HTTP/1.1\r\n`, 'HPE_INVALID_METHOD: Invalid method encountered'),
  refuse('a method that goes on', `GETX / HTTP/1.1\r\n`, 'HPE_INVALID_METHOD: Expected space after method'),
  refuse('a tab behind the method', `GET\t/ HTTP/1.1\r\n`, 'HPE_INVALID_METHOD: Expected space after method'),
  refuse('a space before the method', ` ${GET}`, 'HPE_INVALID_METHOD: Invalid method encountered'),
  refuse('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'HPE_PAUSED_H2_UPGRADE: Pause on PRI/Upgrade'),
  refuse('a control octet in the target', `GET /\x01 HTTP/1.1\r\n`, 'HPE_INVALID_URL: Invalid char in url path'),
  refuse('obs-text in the target', `GET /\x80 HTTP/1.1\r\n`, 'HPE_INVALID_URL: Invalid char in url path'),
  refuse('a tab in the target', `GET /a\tb HTTP/1.1\r\n`, 'HPE_INVALID_URL: Invalid characters in url'),
  refuse('a target without a slash', `GET a.b HTTP/1.1\r\n`, 'HPE_INVALID_URL: Unexpected char in url schema'),
  refuse('a target that starts with ?', `GET ?x HTTP/1.1\r\n`, 'HPE_INVALID_URL: Unexpected start char in url'),
  refuse(
    'a bad authority of CONNECT',
    `CONNECT *<a HTTP/1.1\r\n\r\n`,
    'HPE_INVALID_URL: Unexpected char in url server',
  ),
  refuse('a bad authority', `GET http://a<b HTTP/1.1\r\n`, 'HPE_INVALID_URL: Unexpected char in url server'),
  refuse(
    'a tab behind the space after the target',
    `GET / \tHTTP/1.1\r\n`,
    'HPE_INVALID_URL: Invalid characters in url',
  ),
  refuse(
    'a tab behind two spaces after the target',
    `GET /  \tHTTP/1.1\r\n`,
    'HPE_INVALID_CONSTANT: Expected HTTP/, RTSP/ or ICE/',
  ),
  refuse(
    'a form feed behind two spaces after the target',
    `GET /  \fHTTP/1.1\r\n`,
    'HPE_INVALID_CONSTANT: Expected HTTP/, RTSP/ or ICE/',
  ),
  refuse('another protocol', `GET / HTTX/1.1\r\n`, 'HPE_INVALID_CONSTANT: Expected HTTP/, RTSP/ or ICE/'),
  refuse('a protocol in lower case', `GET / http/1.1\r\n`, 'HPE_INVALID_CONSTANT: Expected HTTP/, RTSP/ or ICE/'),
  refuse('HTTP/1.2', `GET / HTTP/1.2\r\n`, 'HPE_INVALID_VERSION: Invalid HTTP version'),
  refuse('HTTP/1', `GET / HTTP/1\r\n`, 'HPE_INVALID_VERSION: Expected dot'),
  refuse('HTTP/1.10', `GET / HTTP/1.10\r\n`, 'HPE_INVALID_VERSION: Expected CRLF after version'),
  refuse('a space behind the version', `GET / HTTP/1.1 \r\n`, 'HPE_INVALID_VERSION: Expected CRLF after version'),
  refuse('a bare LF behind the version', `GET / HTTP/1.1\n`, 'HPE_INVALID_VERSION: Expected CRLF after version'),
  refuse('a bare LF behind a value', `${GET}Host: a\n`, 'HPE_CR_EXPECTED: Missing expected CR after header value'),
  refuse('a bare CR in a value', `${GET}Host: a\rX`, 'HPE_LF_EXPECTED: Missing expected LF after header value'),
  refuse('a bare LF as the empty line', `${GET}${HOST}\n`, 'HPE_INVALID_HEADER_TOKEN: Invalid header field char'),
  refuse(
    'a space before the first field',
    `${GET} X: b\r\n`,
    'HPE_UNEXPECTED_SPACE: Unexpected space after start line',
  ),
  refuse('a space before the colon', `${GET}X : b\r\n`, TOKEN),
  refuse('a field without a colon', `${GET}Xb\r\n`, TOKEN),
  refuse('a field without a name', `${GET}: b\r\n`, TOKEN),
  refuse('obs-text in a name', `${GET}X\x80: b\r\n`, TOKEN),
  refuse('NUL in a value', `${GET}X: a\0\r\n`, VALUE),
  refuse('DEL in a value', `${GET}X: a\x7f\r\n`, VALUE),
  refuse('a folded line', `${GET}X: b\r\n c\r\n`, 'HPE_INVALID_HEADER_TOKEN: Unexpected whitespace after header value'),
  refuse('a folded empty value', `${GET}X:\r\n c\r\n`, VALUE),
  refuse(
    'an empty Content-Length',
    `${POST}Content-Length:\r\n\r\n`,
    'HPE_INVALID_CONTENT_LENGTH: Empty Content-Length',
  ),
  refuse('a list as Content-Length', `${POST}Content-Length: 5, 5\r\n\r\n`, LENGTH),
  refuse('a sign in Content-Length', `${POST}Content-Length: +5\r\n\r\n`, LENGTH),
  refuse('hex in Content-Length', `${POST}Content-Length: 0x5\r\n\r\n`, LENGTH),
  refuse('the octet in front of the digits in Content-Length', `${POST}Content-Length: 5/\r\n\r\n`, LENGTH),
  refuse('the octet behind the digits in Content-Length', `${POST}Content-Length: 5:\r\n\r\n`, LENGTH),
  refuse('a space in Content-Length', `${POST}Content-Length: 5 5\r\n\r\n`, LENGTH),
  refuse(
    'a huge Content-Length',
    `${POST}Content-Length: 99999999999999999999\r\n\r\n`,
    'HPE_INVALID_CONTENT_LENGTH: Content-Length overflow',
  ),
  refuse(
    'a Content-Length of 2^64',
    `${POST}Content-Length: 18446744073709551616\r\n\r\n`,
    'HPE_INVALID_CONTENT_LENGTH: Content-Length overflow',
  ),
  refuse(
    'Content-Length twice',
    `${POST}Content-Length: 5\r\nContent-Length: 5\r\n\r\n`,
    'HPE_UNEXPECTED_CONTENT_LENGTH: Duplicate Content-Length',
  ),
  refuse(
    'Transfer-Encoding behind Content-Length',
    `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
    "HPE_INVALID_TRANSFER_ENCODING: Transfer-Encoding can't be present with Content-Length",
  ),
  refuse(
    'Content-Length behind Transfer-Encoding',
    `${POST}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n`,
    "HPE_INVALID_CONTENT_LENGTH: Content-Length can't be present with Transfer-Encoding",
  ),
  refuse('chunked twice', `${POST}Transfer-Encoding: chunked, chunked\r\n\r\n`, CODING),
  refuse(
    'chunked twice in two lines',
    `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n`,
    CODING,
  ),
  refuse('chunked before another coding', `${POST}Transfer-Encoding: chunked, gzip\r\n\r\n`, CODING),
  refuse('a coding list that ends in a comma', `${POST}Transfer-Encoding: chunked,\r\n\r\n`, CODING),
  refuse(
    'an empty Transfer-Encoding',
    `${POST}Transfer-Encoding: \r\n\r\n`,
    'HPE_INVALID_TRANSFER_ENCODING: Empty Transfer-Encoding',
  ),
  refuse('a coding other than chunked', `${POST}Transfer-Encoding: gzip\r\n\r\n`, NO_LENGTH, inBody),
  refuse('identity', `${POST}Transfer-Encoding: identity\r\n\r\n`, NO_LENGTH, inBody),
  refuse('a word that ends in chunked', `${POST}Transfer-Encoding: xchunked\r\n\r\n`, NO_LENGTH, inBody),
  refuse('chunked in quotes', `${POST}Transfer-Encoding: "chunked"\r\n\r\n`, NO_LENGTH, inBody),
  refuse('a space before the chunk size', `${CHUNKED} 5\r\n`, SIZE, inBody),
  refuse('a space behind the chunk size', `${CHUNKED}5 \r\n`, SIZE, inBody),
  refuse('a prefix of the chunk size', `${CHUNKED}0x5\r\n`, SIZE, inBody),
  refuse('a sign of the chunk size', `${CHUNKED}-5\r\n`, SIZE, inBody),
  refuse('no chunk size', `${CHUNKED}\r\n`, SIZE, inBody),
  refuse('no chunk size behind a chunk', `${CHUNKED}1\r\nx\r\n\r\n`, SIZE, inData),
  refuse('a chunk size with a letter that is no digit', `${CHUNKED}5g\r\n`, SIZE, inBody),
  refuse('a bare CR behind the chunk size', `${CHUNKED}5\rX`, 'HPE_STRICT: Expected LF after chunk size', inBody),
  refuse(
    'a chunk size of 2^64',
    `${CHUNKED}10000000000000000\r\n`,
    'HPE_INVALID_CHUNK_SIZE: Chunk size overflow',
    inBody,
  ),
  refuse(
    'a bare LF behind the chunk size',
    `${CHUNKED}5\n`,
    'HPE_CR_EXPECTED: Missing expected CR after chunk size',
    inBody,
  ),
  refuse('chunk data that goes on', `${CHUNKED}1\r\nxy`, 'HPE_STRICT: Expected LF after chunk data', inData),
  refuse('a bare CR behind chunk data', `${CHUNKED}1\r\nx\rX`, 'HPE_STRICT: Expected LF after chunk data', inData),
  refuse(
    'a bare LF behind chunk data',
    `${CHUNKED}1\r\nx\n`,
    'HPE_CR_EXPECTED: Missing expected CR after chunk data',
    inData,
  ),
  refuse('an empty chunk extension', `${CHUNKED}1;\r\n`, 'HPE_STRICT: Invalid character in chunk extensions', inBody),
  refuse(
    'an empty chunk extension behind another',
    `${CHUNKED}1;a;\r\n`,
    'HPE_STRICT: Invalid character in chunk extensions',
    inBody,
  ),
  refuse(
    'a control octet behind a backslash in a chunk extension',
    `${CHUNKED}1;a="\\\x01"\r\n`,
    'HPE_STRICT: Invalid quoted-pair in chunk extensions quoted value',
    inBody,
  ),
  refuse(
    'a space in a chunk extension',
    `${CHUNKED}1; a\r\n`,
    'HPE_STRICT: Invalid character in chunk extensions',
    inBody,
  ),
  refuse(
    'a bare LF in a chunk extension',
    `${CHUNKED}1;a\n`,
    'HPE_CR_EXPECTED: Missing expected CR after chunk extension name',
    inBody,
  ),
  refuse(
    'an open quote in a chunk extension',
    `${CHUNKED}1;a="b\r\n`,
    'HPE_STRICT: Invalid character in chunk extensions quoted value',
    inBody,
  ),
  refuse('a trailer without a colon', `${CHUNKED}0\r\nX y\r\n`, TOKEN, inBody),
  refuse(
    'Content-Length as a trailer',
    `${CHUNKED}0\r\nContent-Length: 9\r\n\r\n`,
    "HPE_INVALID_CONTENT_LENGTH: Content-Length can't be present with Transfer-Encoding",
    inBody,
  ),
  refuse('Transfer-Encoding as a trailer', `${CHUNKED}0\r\nTransfer-Encoding: chunked\r\n\r\n`, CODING, inBody),
  refuse(
    'a request behind Connection: close',
    `${GET}Connection: close\r\n\r\n${GET}`,
    'HPE_CLOSED_CONNECTION: Data after `Connection: close`',
    [{ line: 'GET / 1.1', persistent: false }],
  ),
];
