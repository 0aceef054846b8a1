import { eachSameThroughBothDoors, describe, type Scenario } from '../support/both-doors.js';

const head = (...lines: string[]): string => ['POST / HTTP/1.1', 'Host: a', ...lines, '', ''].join('\r\n');
const chunked = (body: string): string => head('Transfer-Encoding: chunked') + body;
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

type Case = readonly [name: string, bytes: string];

// RFC 9112 §6.1 to §6.3 and the attacks of request smuggling: whoever reads one of these more kindly than node does can be
// made to see another request than the proxy before it.
const framing: Case[] = [
  ['Content-Length and Transfer-Encoding', `${head('Content-Length: 6', 'Transfer-Encoding: chunked')}0\r\n\r\nX`],
  ['Transfer-Encoding and Content-Length', `${head('Transfer-Encoding: chunked', 'Content-Length: 6')}0\r\n\r\nX`],
  ['two equal lengths', `${head('Content-Length: 5', 'Content-Length: 5')}hello`],
  ['two different lengths', `${head('Content-Length: 5', 'Content-Length: 6')}hello`],
  ['a list of equal lengths', `${head('Content-Length: 5, 5')}hello`],
  ['a list of different lengths', `${head('Content-Length: 5, 6')}hello`],
  ['a length with a plus', `${head('Content-Length: +5')}hello`],
  ['a length with a minus', `${head('Content-Length: -5')}hello`],
  ['a hexadecimal length', `${head('Content-Length: 0x5')}hello`],
  ['a fractional length', `${head('Content-Length: 5.0')}hello`],
  ['a length with an exponent', `${head('Content-Length: 5e0')}hello`],
  ['an empty length', head('Content-Length:')],
  ['a length of blanks', head('Content-Length:   ')],
  ['a length with a blank inside', `${head('Content-Length: 1 2')}hello`],
  ['a length of letters', head('Content-Length: abc')],
  ['a length in full-width digits', head('Content-Length: \xef\xbc\x95')],
  ['a length beyond 64 bits', head('Content-Length: 18446744073709551616')],
  ['a length of 2^64 - 1', head('Content-Length: 18446744073709551615')],
  ['a length of 2^53 + 1', head('Content-Length: 9007199254740993')],
  ['a length of forty digits', head(`Content-Length: ${'9'.repeat(40)}`)],
  ['a length of forty zeros and five', `${head(`Content-Length: ${'0'.repeat(40)}5`)}hello`],
  ['a quoted length', `${head('Content-Length: "5"')}hello`],
  ['a length with an underscore name', `${head('Content_Length: 5')}hello`],
  ['a length with a blank before the colon', `${head('Content-Length : 5')}hello`],
  ['a coding with a blank before the colon', `${head('Transfer-Encoding : chunked')}0\r\n\r\n`],
  ['a coding with a tab before the colon', `${head('Transfer-Encoding\t: chunked')}0\r\n\r\n`],
  ['an unknown coding', `${head('Transfer-Encoding: gzip')}hello`],
  ['identity', `${head('Transfer-Encoding: identity')}hello`],
  ['gzip, chunked', `${head('Transfer-Encoding: gzip, chunked')}0\r\n\r\n`],
  ['chunked, gzip', `${head('Transfer-Encoding: chunked, gzip')}0\r\n\r\n`],
  ['chunked, chunked', `${head('Transfer-Encoding: chunked, chunked')}0\r\n\r\n`],
  ['chunked twice', `${head('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
  ['chunked and then identity', `${head('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')}0\r\n\r\n`],
  ['identity and then chunked', `${head('Transfer-Encoding: identity', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
  ['xchunked', `${head('Transfer-Encoding: xchunked')}0\r\n\r\n`],
  ['chunkedx', `${head('Transfer-Encoding: chunkedx')}0\r\n\r\n`],
  ['chunked with a parameter', `${head('Transfer-Encoding: chunked;q=1')}0\r\n\r\n`],
  ['chunked with a trailing comma', `${head('Transfer-Encoding: chunked,')}0\r\n\r\n`],
  ['chunked with a leading comma', `${head('Transfer-Encoding: ,chunked')}0\r\n\r\n`],
  ['quoted chunked', `${head('Transfer-Encoding: "chunked"')}0\r\n\r\n`],
  ['chunked after a vertical tab', `${head('Transfer-Encoding: \x0bchunked')}0\r\n\r\n`],
  ['chunked after a no-break space', `${head('Transfer-Encoding: \xa0chunked')}0\r\n\r\n`],
  ['an empty coding', head('Transfer-Encoding:')],
  ['a folded coding', `${head('Transfer-Encoding:\r\n chunked')}0\r\n\r\n`],
  ['chunked to an HTTP/1.0 server', `${head('Transfer-Encoding: chunked').replace('1.1', '1.0')}0\r\n\r\n`],
  ['unknown coding with a length', `${head('Transfer-Encoding: gzip', 'Content-Length: 5')}hello`],
  ['a length on GET', `${head('Content-Length: 5').replace('POST', 'GET')}hello`],
  ['a request behind a body shorter than its length', `${head('Content-Length: 3')}${smuggled}`],
  ['a second request behind an unread coding', `${head('Transfer-Encoding: identity')}${smuggled}`],
];

const fields: Case[] = [
  ['a folded value', head('X-Fold: a\r\n b')],
  ['a value folded with a tab', head('X-Fold: a\r\n\tb')],
  ['a first field that begins with a blank', 'GET / HTTP/1.1\r\n Host: a\r\n\r\n'],
  ['a field without a colon', head('NoColon')],
  ['a field without a name', head(': value')],
  ['a name with a blank', head('X Name: v')],
  ['a name with a NUL', head('X\0Name: v')],
  ['a name with a bracket', head('X(Name): v')],
  ['a name with a latin1 letter', head('X-\xe9: v')],
  ['a name with a control byte', head('X\x1f: v')],
  ['a value with a NUL', head('X-A: a\0b')],
  ['a value with a control byte', head('X-A: a\x01b')],
  ['a value with DEL', head('X-A: a\x7fb')],
  ['a value with a form feed', head('X-A: a\x0cb')],
  ['a value with a bare carriage return', head('X-A: a\rb')],
  ['a value with a bare newline', head('X-A: a\nX-B: b')],
  ['a carriage return at the end of a value', head('X-A: a\r')],
  ['two carriage returns before the newline', 'GET / HTTP/1.1\r\nHost: a\r\r\n\r\n'],
  ['a head that ends in bare newlines', 'GET / HTTP/1.1\r\nHost: a\n\n'],
  ['a head that ends in CR CR LF', 'GET / HTTP/1.1\r\nHost: a\r\n\r\r\n'],
  ['a head that ends in CR and a letter', 'GET / HTTP/1.1\r\nHost: a\r\n\rX'],
  ['a bare carriage return as a line end', 'GET / HTTP/1.1\r\nHost: a\rX-B: b\r\n\r\n'],
  ['a value of blanks before a fold', head('X-A:\r\n b')],
  ['Connection with a bad token', head('Connection: clo\0se')],
  ['two Hosts', head('Host: b')],
  ['Host with a blank inside', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ['an empty Host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n'],
  ['a line of only a colon', head(':')],
  ['a line of only blanks', head('   ')],
];

const chunks: Case[] = [
  ['an empty chunk size', chunked('\r\nhello\r\n0\r\n\r\n')],
  ['a size of letters', chunked('xyz\r\nhello\r\n0\r\n\r\n')],
  ['a size with 0x', chunked('0x5\r\nhello\r\n0\r\n\r\n')],
  ['a size with a plus', chunked('+5\r\nhello\r\n0\r\n\r\n')],
  ['a size with a minus', chunked('-5\r\nhello\r\n0\r\n\r\n')],
  ['a size with a leading blank', chunked(' 5\r\nhello\r\n0\r\n\r\n')],
  ['a size with a trailing blank', chunked('5 \r\nhello\r\n0\r\n\r\n')],
  ['a size with a trailing tab', chunked('5\t\r\nhello\r\n0\r\n\r\n')],
  ['a size with a blank before its extension', chunked('5 ;a=b\r\nhello\r\n0\r\n\r\n')],
  ['a size with an underscore', chunked('1_0\r\nhello\r\n0\r\n\r\n')],
  ['a size of 2^32 + 5', chunked('100000005\r\nhello\r\n0\r\n\r\n')],
  ['a size of 2^64', chunked('10000000000000000\r\nhello\r\n0\r\n\r\n')],
  ['a size of 2^64 - 1', chunked('ffffffffffffffff\r\nhello\r\n0\r\n\r\n')],
  ['a size of twenty digits', chunked('fffffffffffffffffff5\r\nhello\r\n0\r\n\r\n')],
  ['a size with forty leading zeros', chunked(`${'0'.repeat(40)}5\r\nhello\r\n0\r\n\r\n`)],
  ['a size ended by a bare newline', chunked('5\nhello\r\n0\r\n\r\n')],
  ['a size ended by a bare carriage return', chunked('5\rhello\r\n0\r\n\r\n')],
  ['data without its line end', chunked('5\r\nhello0\r\n\r\n')],
  ['data ended by a bare newline', chunked('5\r\nhello\n0\r\n\r\n')],
  ['data ended by a bare carriage return', chunked('5\r\nhello\r0\r\n\r\n')],
  ['more data than the size', chunked('3\r\nhello\r\n0\r\n\r\n')],
  ['less data than the size', chunked('9\r\nhello\r\n0\r\n\r\n')],
  ['two bytes in place of the line end', chunked('5\r\nhelloXX0\r\n\r\n')],
  ['an extension ended by a bare newline', chunked('5;a\nhello\r\n0\r\n\r\n')],
  ['an extension with a bare carriage return', chunked('5;a\rb\r\nhello\r\n0\r\n\r\n')],
  ['an extension with a NUL', chunked('5;a\0\r\nhello\r\n0\r\n\r\n')],
  ['an extension with a blank', chunked('5; a=b\r\nhello\r\n0\r\n\r\n')],
  ['an extension with a comma', chunked('5;a,b\r\nhello\r\n0\r\n\r\n')],
  ['an extension without a name', chunked('5;\r\nhello\r\n0\r\n\r\n')],
  ['an extension without a value', chunked('5;a=\r\nhello\r\n0\r\n\r\n')],
  ['an extension with a quote left open', chunked('5;a="b\r\nhello\r\n0\r\n\r\n')],
  ['an extension with a newline in quotes', chunked('5;a="b\r\nc"\r\nhello\r\n0\r\n\r\n')],
  ['an extension after a quoted value', chunked('5;a="b"c\r\nhello\r\n0\r\n\r\n')],
  ['an extension with latin1 bytes', chunked('5;a=\xe9\r\nhello\r\n0\r\n\r\n')],
  ['an extension with two equals signs', chunked('5;a==b\r\nhello\r\n0\r\n\r\n')],
  ['two semicolons', chunked('5;;a\r\nhello\r\n0\r\n\r\n')],
  ['a last chunk without an empty line', chunked('0\r\n')],
  ['a last chunk with bare newlines', chunked('0\n\n')],
  ['a last chunk followed by a request', chunked(`0\r\n${smuggled}`)],
  ['a last chunk with two bytes too many', chunked(`0\r\n\r\nXX${smuggled}`)],
  ['a trailer without a colon', chunked('0\r\nTrailer\r\n\r\n')],
  ['a folded trailer', chunked('0\r\nX-T: a\r\n b\r\n\r\n')],
  ['a trailer with a NUL', chunked('0\r\nX-T: a\0\r\n\r\n')],
  ['a trailer with a bare newline', chunked('0\r\nX-T: a\nX-U: b\r\n\r\n')],
  ['a trailer with a bad length', chunked('0\r\nContent-Length: x\r\n\r\n')],
  ['two zero chunks', chunked('0\r\n\r\n0\r\n\r\n')],
];

const endings: Case[] = [
  ['nothing but newlines', '\r\n\r\n\r\n\r\n'],
  ['a single carriage return', '\r'],
  ['a single NUL', '\0'],
  ['half a method', 'GE'],
  ['half a request line', 'GET / HTT'],
  ['half a field', 'GET / HTTP/1.1\r\nHost: a\r\nX-Ha'],
  ['a head without its last newline', 'GET / HTTP/1.1\r\nHost: a\r\n\r'],
  ['half a length body', `${head('Content-Length: 5')}he`],
  ['half a chunk size', chunked('1')],
  ['half a chunk', chunked('5\r\nhe')],
  ['half a trailer', chunked('0\r\nX-T')],
  ['a request and a half', `GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT`],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
];

const groups: Record<string, Case[]> = { framing, fields, chunks, endings };
const observe: Scenario['setup'] = (server, log) =>
  server.on('clientError', (error: NodeJS.ErrnoException & { reason?: string }, socket) => {
    log('server', 'clientError', [error.code, error.message, error.reason]);
    socket.end('HTTP/1.1 400 Refused\r\nConnection: close\r\n\r\n');
  });

// Byte by byte as well: a parser that needs a whole line in one read judges the pieces differently.
// `bytesParsed` is not compared: how far node's parser had come within a bad line is its own affair.
const scenarios: Scenario[] = Object.entries(groups).flatMap(([group, cases]) =>
  cases.flatMap(([name, bytes]): Scenario[] => [
    { name: `${group}: ${name}`, send: bytes + smuggled, answers: 0, then: 'finish', handler: describe, judging: true },
    {
      name: `${group}: ${name}, at the end of the connection`,
      send: bytes,
      answers: 0,
      then: 'finish',
      handler: describe,
      setup: observe,
      judging: true,
    },
    {
      name: `${group}: ${name}, byte by byte`,
      send: [...bytes, smuggled],
      answers: 0,
      then: 'finish',
      handler: describe,
      judging: true,
    },
  ]),
);

eachSameThroughBothDoors(scenarios);
