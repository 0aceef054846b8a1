import { ODD_EXPECTATIONS, oddField, oddTarget } from '../support/odd-requests.js';
import type { Seeded } from '../support/seeded.js';

type Make = (random: Seeded) => string;

const METHODS = ['GET', 'POST', 'PUT', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH', 'M-SEARCH', 'QUERY', 'CONNECT', 'TRACE'];
const ODD_METHODS = ['get', 'FOO', 'G', 'POSTT', 'GE T', 'PRI', '\0', 'P\x80'];
const TARGETS = ['/', '/a', '/a/b?c=d', '/%20?%00', '*', 'http://h/x', 'h:443', '/é', '//', '/?#'];
const ODD_TARGETS = ['', ' ', 'a', '/a b', '/\t', '/\0', 'http://', '/\x7f', '\\', '/\x80\xff'];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0'];
const ODD_VERSIONS = [
  'HTTP/1.2',
  'HTTP/2.0',
  'http/1.1',
  'HTTP/1.',
  'HTTP/11',
  'HTTP/0.9',
  'HTTP/1.1 ',
  'HTTPS/1.1',
  '',
];
const NAMES = [
  'X-A',
  'Accept',
  'Cookie',
  'cookie',
  'User-Agent',
  'Content-Type',
  'Set-Cookie',
  '__proto__',
  "!#$%&'*+-.^_`|~",
];
const ODD_NAMES = ['', ' X', 'X Y', 'X\0', 'X\t', 'X:', 'é', 'X(', 'Content-Length ', 'Transfer-Encoding\t', '\r'];
const VALUES = ['', '1', 'a b', 'a, b', '  padded\t', '"q;uoted"', 'é\xff', '=;,:', 'v'.repeat(300)];
const ODD_VALUES = ['a\0b', 'a\rb', 'a\nb', '\x01', '\x7f', 'a\r\n b', '\x0b', '\r'];
const CONNECTIONS = [
  'close',
  'keep-alive',
  'Close',
  'upgrade',
  'Upgrade, close',
  'keep-alive,,UPGRADE',
  'x',
  'close, x',
  'keep-alive, close',
  '',
].concat('close\t', 'x,\tclose \t', 'keep-alive\t,x');
const LENGTHS = [
  '0',
  '5',
  '05',
  '5\t',
  '3',
  '10',
  '+5',
  '-1',
  '5,5',
  '5, 6',
  '0x5',
  '5 5',
  '',
  '99999999999999999999',
  '5.0',
  'a',
];
const CODINGS = [
  'chunked',
  'Chunked',
  ' chunked ',
  'chunked\t',
  'gzip,\tchunked \t',
  'gzip',
  'gzip, chunked',
  'chunked, gzip',
  'identity',
  'chunked, chunked',
  'xchunked',
  'chunked;x',
  ',chunked',
  'chunked,',
  '\x0bchunked',
  '\xa0chunked',
  '"chunked"',
];
const EXTENSIONS = [
  '',
  '',
  '',
  ';a',
  ';a=b',
  ';a="b"',
  ';a="b\\"c"',
  '; a',
  ';a=b;c',
  ';\0',
  ';a\n',
  ' ',
  '\t',
  ';"',
  ',a',
  ';é',
];
const LINE_ENDS = ['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n', '\n\r', ''];

/** Usually a valid one, sometimes an odd one: if all were odd, only the first check would be reached. */
const mostly =
  (good: readonly string[], odd: readonly string[]): Make =>
  (random) =>
    random.pick(random.chance(0.04) ? odd : good);
const method = mostly(METHODS, ODD_METHODS);
const usualTarget = mostly(TARGETS, ODD_TARGETS);
/** Sometimes one that only its users refuse. */
const target: Make = (random) => (random.chance(0.1) ? oddTarget(random, usualTarget(random)) : usualTarget(random));
const version = mostly(VERSIONS, ODD_VERSIONS);
const name = mostly(NAMES, ODD_NAMES);
const value = mostly(VALUES, ODD_VALUES);
const lineEnd: Make = (random) => (random.chance(0.015) ? random.pick(LINE_ENDS) : '\r\n');

/** @returns the bytes of one connection as latin1: requests that are valid or nearly so, sometimes mutated */
export function message(random: Seeded): string {
  if (random.chance(0.25)) return visit(random);
  const requests = Array.from({ length: 1 + random.below(3) }, () => request(random));
  const text = requests.join(random.chance(0.05) ? random.pick(['\r\n', '\n', ' ', '\0']) : '');
  return random.chance(0.3) ? mutated(text, random) : text;
}

function request(random: Seeded): string {
  const line = `${method(random)} ${target(random)} ${version(random)}${lineEnd(random)}`;
  const fields = Array.from({ length: random.below(4) }, () => field(name(random), value(random), random));
  if (!random.chance(0.05)) fields.unshift(field('Host', 'h', random));
  while (random.chance(0.15)) fields.splice(random.below(fields.length + 1), 0, field(...oddField(random), random));
  if (random.chance(0.15)) fields.push(field('Connection', random.pick(CONNECTIONS), random));
  if (random.chance(0.05)) fields.push(field('Expect', random.pick(ODD_EXPECTATIONS), random));
  if (random.chance(0.05)) fields.push(field('Upgrade', random.pick(['h2c', 'x']), random));
  return line + body(fields, random);
}

/** The fields of a browser's requests, most of which repeat from request to request. */
const USUAL = [
  ['Host', 'example.test:8080'],
  ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:1.0) Gecko/20100101 Firefox/1.0'],
  ['Accept', 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'],
  ['Accept-Encoding', 'gzip, deflate, br'],
  ['Cookie', 'sid=1; theme=dark'],
  ['X-Request-Id', 'id-1'],
] as const;

/** Two to eight requests of one client, some of whose fields differ from those before in a character or more: lines that repeat are kept. */
function visit(random: Seeded): string {
  // Of the fields that differ. A client that hardly changes them is answered from what is kept.
  const rate = random.pick([0.03, 0.15]);
  const requests = Array.from({ length: 2 + random.below(7) }, () => {
    const kept = USUAL.filter(() => !random.chance(rate / 5));
    const fields = kept.map(([usualName, usual]) => {
      const spelling = random.chance(rate / 5) ? usualName.toLowerCase() : usualName;
      return `${spelling}: ${random.chance(rate) ? changed(usual, random) : usual}\r\n`;
    });
    const line = `${random.pick(['GET', 'GET', 'HEAD', 'POST'])} ${random.pick(['/', '/a', '/a/b?c=d'])} HTTP/1.1\r\n`;
    return line + (random.chance(0.8) ? `${fields.join('')}\r\n` : body(fields, random));
  });
  const text = requests.join('');
  return random.chance(0.1) ? mutated(text, random) : text;
}

/** The value with another character, one more or some less, padded, or a value of any length. */
function changed(usual: string, random: Seeded): string {
  const at = random.below(usual.length);
  switch (random.below(6)) {
    case 0:
    case 1:
      return usual.slice(0, at) + octet(random) + usual.slice(at + 1);
    case 2:
      return usual.slice(0, at) + octet(random) + usual.slice(at);
    case 3:
      return usual.slice(0, at) + usual.slice(at + 1 + random.below(8));
    case 4:
      return random.pick([` ${usual}`, `${usual} `, `\t${usual}\t `]);
    default:
      return Array.from({ length: random.below(random.pick([8, 80, 600])) }, () => octet(random)).join('');
  }
}

/** An octet of a field's value: mostly visible ASCII, sometimes a tab or obs-text. No capitals: behind one, a space looks like a request line. */
function octet(random: Seeded): string {
  if (random.chance(0.02)) return random.pick(['\t', '\x80', '\xe9', '\xff']);
  return String.fromCodePoint(0x20 + random.below(0x5f)).toLowerCase();
}

function field(fieldName: string, fieldValue: string, random: Seeded): string {
  return `${fieldName}:${random.chance(0.9) ? ' ' : ''}${fieldValue}${lineEnd(random)}`;
}

function body(fields: readonly string[], random: Seeded): string {
  const kind = random.next();
  const all = [...fields];
  const put = (line: string): number => all.splice(random.below(all.length + 1), 0, line).length;
  const head = (): string => all.join('') + lineEnd(random);
  if (kind < 0.45) return head();
  if (kind < 0.7) {
    const data = random.pick(['', 'hello', 'abc', '0\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n']);
    const length = random.chance(0.75) ? String(data.length) : random.pick(LENGTHS);
    put(field('Content-Length', length, random));
    if (random.chance(0.05)) put(field('Content-Length', random.pick(LENGTHS), random));
    return head() + data;
  }
  put(field('Transfer-Encoding', random.chance(0.8) ? 'chunked' : random.pick(CODINGS), random));
  if (random.chance(0.05)) put(field('Content-Length', random.pick(LENGTHS), random));
  if (random.chance(0.05)) put(field('transfer-encoding', random.pick(CODINGS), random));
  return head() + chunks(random);
}

function chunks(random: Seeded): string {
  let text = '';
  for (let i = random.below(4); i > 0; i--) {
    const data = random.pick(['a', 'hello', '\r\n', '0123456789abcdef', 'x'.repeat(40)]);
    text += `${size(data.length, random)}${random.pick(random.chance(0.2) ? EXTENSIONS : [''])}${lineEnd(random)}${data}${lineEnd(random)}`;
  }
  text += `${random.chance(0.95) ? '0' : random.pick(['00', '', '-0', '0x0', ' 0', 'g'])}${lineEnd(random)}`;
  if (random.chance(0.15)) text += field(name(random), value(random), random);
  return random.chance(0.95) ? text + lineEnd(random) : text;
}

function size(length: number, random: Seeded): string {
  const hex = length.toString(16);
  if (random.chance(0.9)) return hex;
  return random.pick([
    hex.toUpperCase(),
    `0${hex}`,
    `+${hex}`,
    ` ${hex}`,
    `${hex} `,
    `0x${hex}`,
    (length + 1).toString(16),
    '',
    'ffffffffff',
    `${hex}_`,
  ]);
}

/** Splits a text at a random place, one to three times. */
function mutated(text: string, random: Seeded): string {
  let result = text;
  for (let i = 1 + random.below(3); i > 0 && result.length > 0; i--) {
    const at = random.below(result.length);
    const byte = random.pick(['\0', '\r', '\n', ' ', '\t', ':', ';', '\x7f', '\x80', '\xff', '0', 'A', ',', '"']);
    const kind = random.below(4);
    if (kind === 0) result = result.slice(0, at) + byte + result.slice(at);
    else if (kind === 1) result = result.slice(0, at) + result.slice(at + 1 + random.below(4));
    else if (kind === 2) result = result.slice(0, at) + byte + result.slice(at + 1);
    else result = result.slice(0, at);
  }
  return result;
}
