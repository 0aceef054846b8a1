import type { Seeded } from './seeded.js';
import { MODIFIED } from './folder.js';

// Broken parts of requests: what a client can send and a handler may use. A character stands for an octet.

/** Words between spaces. */
const words = (...lines: readonly string[]): string[] => lines.flatMap((line) => line.split(' '));

const SCHEMES = [
  'http',
  'http',
  'https',
  'HTTP',
  'ftp',
  'file',
  'javascript',
  'mailto',
  'ws',
  'x',
  'h t',
  '1',
  'é',
  '',
];
const AFTER_SCHEME = ['://', '://', '://', '://', ':', ':/', ':///', ':\\\\', '//', ':?', ':#'];
const USERS = ['', '', '', '', 'user@', 'user:pass@', 'user:%@', 'user:%c3@', '@', ':@', 'a@b@', '%zz@', '\xe9@', '[@'];
const HOSTS = [
  ...words(
    'h a.b.example.com [x [x] [::1] [::1 [ ] [] [::1]x . .. h. * % %41 %00 %c3 xn-- xn--a xn--\xe9 \xe9 \xad',
    '\x80\xff h\\ h^ h| h" h< h` h{ h, h; -h- _ 127.1 0x7f.1 1.2.3.4.5 999.999.999.999 a:b:c ::1 javascript',
  ),
  '',
  "h'",
  'x'.repeat(70),
  'x'.repeat(300),
  'h'.repeat(63) + '.'.repeat(3),
];
const PORTS = [
  '',
  '',
  '',
  '',
  ':80',
  ':',
  ':x',
  ':99999',
  ':-1',
  ':80:90',
  ':0080',
  ':8%30',
  ':\xe9',
  ':1e3',
  ':'.repeat(9),
];

/** Before a path, or in its place. */
const STARTS = [
  ...words(
    '// /// /\\ \\ \\\\h /. /./ /.. /../.. /%2f /%2F%2Fh //h //h/ //user@h //user:%@h //[x //[x/ //h:x //xn--',
    '/http://[x /http: /: //:80 /@ /[ /] /? /# ? # ; /; * */ & = % %2f /* /h:80 h:80 /^ /| /{ /" /< /` /~ /\x80',
  ),
  "/'",
];

const ESCAPES = [
  ...words(
    '% %z %zz %c3 %c3%28 %C3%A9 %c0%80 %ed%a0%80 %ed%b0%80 %f0%9f%98 %F0%9F%98%80 %f8%88 %00 %0d%0a %0A %09',
    '%2e%2e %2E %2f %2F..%2f %5c %5C.. %25 %252f %20 %3f %23 %3b %E9 %ff %7f %u0041 %% %-1 %1 %e2%80%a8 %EF%BB%BF',
    '%26 %3D %5b%5d +',
  ),
  ' ',
];

const MARKS = [
  ...words(
    '\\ // /./ /../ /.. /. # #f ? ?? ; ;v=1 @ : :80 [ ] | ^ " < > { } ` ~ ! $ & = , * \x80 \xff \xe9 \xc3\xa9',
    '\x7f / / /__proto__ /constructor /toString /-1 /null /.dot',
  ),
  "'",
  '\xed\xa0\x80',
  '\xa0',
  '/x'.repeat(200),
];

const QUERIES = [
  ...words(
    '? ?? ?& ?&&=& ?= ?=1 ?q ?q= ?q=&q ?q=1&q=2&q=3 ?q[]=1&q[]=2 ?q[b]=1&q=2 ?q[ ?q]=1 ?q[0]=x&q[2]=y ?q[1000]=x',
    '?q[-1]=x ?q[__proto__]=1 ?q[__proto__][x]=1 ?q[constructor]=1 ?q[length]=9 ?__proto__=1 ?__proto__[x]=1',
    '?__proto__ ?constructor=1 ?constructor[prototype][x]=1 ?hasOwnProperty=1 ?toString=1&valueOf=2 ?q.b=1',
    '?q%5Bb%5D=1 ?q%5b%5D=1 ?q[b]c=1 ?q[%5d]=1 ?q[[b]]=1 ?[]=1 ?[q]=1 ?[] ?%5B%5D=1 ?q[][]=1&q[][b]=2 ?q[b][]=1',
    '?q=% ?q=%zz ?q=%c3 ?%c3=1 ?q=%ed%a0%80 ?q=%F0%9F%98%80 ?q=%00 ?q=a+b ?q=%2B ?q=\x80\xff ?\xe9=\xe9 ?q=#f',
    '?q=? ?q=/ ?q=//h ?q=\\ ?q=http://[x/ ?q=//[x ?q=%0d%0aX:%201 ?q=javascript:x ?q=%22%3E%3Cb%3E ?q=<b>&q=>',
    '?%=% ?q=1;a=2 ?;q=1 ?q=1?a=2 ?q== ?q=1=2 ?+q=1 ?q%00=1 ?utf8=%26%2310003%3B&q=%E9 ?utf8=%E2%9C%93&q=%C3%A9',
    '?callback= ?callback=alert(1) ?callback=a.b[c]$ ?callback=%E2%80%A8 ?callback=%C3%A9 ?callback[]=x',
    '?callback[a]=x ?callback=x&callback=y ?callback=__proto__ ?callback=%00 ?callback=% ?q=&#233;&#x;',
    '?q=%26%23233%3B',
  ),
  `?q${'[b]'.repeat(4)}=1`,
  `?q${'[b]'.repeat(40)}=1`,
  `?q${'[]'.repeat(10)}=1`,
  `?q${'['.repeat(30)}=1`,
  `?${'q=1&'.repeat(1_100)}`,
  `?${Array.from({ length: 1_100 }, (_, i) => `p${i}=${i}`).join('&')}`,
  `?${'q[]=1&'.repeat(25)}`,
  `?${'q[]=1&'.repeat(1_010)}`,
  `?q=${'x'.repeat(5_000)}`,
  '?q= ',
  `?callback=${'f'.repeat(500)}`,
];

const LENGTHS_OF_LONG_TARGETS = [1_000, 8_000, 15_900, 16_300, 20_000];

/** @param usual the target that it is made from @returns a target with one or two broken parts */
export function oddTarget(random: Seeded, usual: string): string {
  const kind = random.below(20);
  if (kind === 0) return `${usual.split('?')[0]}/${'l'.repeat(random.pick(LENGTHS_OF_LONG_TARGETS))}`;
  if (kind < 6) {
    const authority = random.pick(USERS) + random.pick(HOSTS) + random.pick(PORTS);
    return (
      random.pick(SCHEMES) +
      random.pick(AFTER_SCHEME) +
      authority +
      random.pick(['', '/', usual, usual, random.pick(MARKS)])
    );
  }
  let target = usual;
  if (kind < 9) target = random.pick(STARTS) + random.pick(['', target, target, target.slice(1)]);
  else if (kind < 15)
    target = target.split('?')[0] + random.pick(QUERIES) + random.pick(['', '', '', '#', '&a=1', '?']);
  else if (kind < 18) target = put(target, random.pick(ESCAPES), random);
  if (kind >= 18 || random.chance(0.2)) target = put(target, random.pick(random.chance(0.5) ? MARKS : ESCAPES), random);
  return target;
}

function put(text: string, part: string, random: Seeded): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + part + text.slice(at + random.below(2));
}

const HOST_VALUES = [
  ...words(
    'h A.B.C a.b.example.com: :80 : [::1] [::1]:80 [::1 ] ]:80 [ a,b \xe9.x user@h h/path h?x h#f xn-- % %zz',
    '127.0.0.1:x a..b . .. h. h:80:90 __proto__ 10.0.0.1 1.2.3.4.5.6 ::1 http://h //h \\ "h" a.b.c.d.e.f.g \x80 /',
    '- h:-1 [v1.x]:1',
  ),
  '',
  'a b',
  'x'.repeat(300),
  'h\t',
];
const ADDRESSES = [
  ...words(
    ', 10.0.0.1,,10.0.0.2 unknown "[2001:db8::1]:80" [::1] ::1 :: : ::ffff:10.0.0.1 ::ffff:a00:1 999.1.1.1 10.1',
    '10.0.0.1:80 \xe9 10.0.0.1;x 127.0.0.1 fe80::1%eth0 010.0.0.1 0x0a.0.0.1 ,10.0.0.1 10.0.0.1, __proto__',
    '1.2.3.4/8 -1 1.2.3.256',
  ),
  '',
  ' , ',
  '_hidden, 10.0.0.1',
  '::ffff:127.0.0.1, 10.0.0.9',
  '10.0.0.1, 127.0.0.1, ::1',
  '1,'.repeat(200),
  '10.0.0.1 10.0.0.2',
  '192.168.0.1, 172.16.0.1, fc00::1',
  '\t10.0.0.1\t,\t',
];
const PROTOCOLS = [
  '',
  ',',
  'https,http',
  ' https ,',
  ',https',
  'HTTPS',
  '\xe9',
  'javascript',
  'https:',
  'https://',
  'http, https',
  ' ',
];
const ACCEPTS = [
  ...words(
    ', * */*;q=0 text/html;q=2 text/html;q=abc text/html;q text/html;q= text / text/ /html text/html;q="0.5"',
    '*/html application/json;;q=1 ;q=1 text/html;charset="a;b,c" \xe9/\xe9 __proto__/x text/*;q=0.1,*/*;q=-1',
    'text/html;q=0.00001 text/html;q=0.5;ext=1 text/html;=" text/html;" application/*+json json html',
    'text/html;q=1e-1',
  ),
  '',
  ', ,',
  'text/html;level=1;q=0.1, text/html;level=1',
  'a/b,'.repeat(100),
  'TEXT/HTML;Q=0.2, application/JSON',
  'text/html, text/html;q=0',
  'text /html',
  'text/html; q = 0.1',
];
const CHOICES = [
  ...words(
    ', * *;q=0 ; ;q=1 utf-8;q=0 en- -en en-US-x en;q=x EN en_US IDENTITY identity;q=0 \xe9 __proto__',
    'constructor;q=1 gzip;q=1;q=0 gzip;q="1"',
  ),
  '',
  'utf-8, *;q=0',
  'iso-8859-1;q=0.5, utf-8;q=.2',
  'en-gb, en;q=0.1',
  'gzip;q=0, identity;q=0',
  'a b',
  'x,'.repeat(300),
  'br;q=1.0000, gzip;q=1.0',
  '*, gzip;q=0',
  'de, en;q=0.5, *;q=0.1',
  'gzip ; q = 0',
];
const RANGES = [
  ...words(
    'bytes bytes= bytes=- bytes=--1 bytes=1-x bytes=x-1 bytes=5-2 bytes=0-0,-1 bytes=0-,1- BYTES=0-1 items=0-1 =',
    '=0-1 0-1 bytes=1e1- bytes=0x1- bytes=+1-2 bytes=0-1;x bytes=, bytes=0-1, \xe9=1-2 __proto__=0-1 bytes=0-1-2',
    'bytes=-0 bytes=-99 bytes=9- bytes=10- bytes=3-1,0-1 bytes=0.5-1 bytes=0-1=2 bytes=Infinity- bytes=NaN-NaN',
    'bytes=1-2,x',
  ),
  '',
  'bytes = 0-1',
  `bytes=0-${'9'.repeat(30)}`,
  `bytes=${'0-0,'.repeat(200)}`,
  'bytes=\xa01-2',
  'bytes=0-1, 2-3 , 9-9',
];
const TAGS = [
  ...words(
    '* , " W/ W/"mine" "mine mine mine" w/"mine" "a","mine" *,* "a",* "\xe9" "a,"mine" "mine", ,"mine" W/W/"mine"',
    'W/* ""',
  ),
  '',
  '"a" "mine"',
  ' "mine" ',
  '\t"mine"',
  `W/"a-${MODIFIED.getTime().toString(16)}`,
  'x,'.repeat(300),
];
const DATES = [
  ...words('x 0 -1 1e20 2026-01-02 2026-01-02T03:04:05Z 275761 \xe9 "x" 2026 ,'),
  '',
  'Invalid Date',
  'Thu, 01 Jan 2026',
  MODIFIED.toUTCString(),
  'Fri, 02 Jan 2026 03:04:05 +0100',
  'Fri, 99 Jan 2026 03:04:05 GMT',
  'Fri, 02 Foo 2026 03:04:05 GMT',
  'Fri, 02-Jan-26 03:04:05 GMT',
];
const COOKIES = [
  ...words(
    '; = a =b a= a="b a="b" a=% a=%C3%A9 __proto__=1 __proto__=j:{"x":1} a=j:{ a=j:{"__proto__":{"x":1}} a=j:null',
    'a=j:1 a=s:x a=s:x.y a=s: a=s:j:{}.x \xe9=\xe9 a=1,b=2 constructor=1 a=1;b=2 a== "a"=1 connect.sid=%',
    'connect.sid=s: connect.sid=s%3A kept=%',
  ),
  '',
  'a=%zz; b=%E9',
  'a=1; a=2',
  'a b=c',
  ';'.repeat(50),
  ' a = 1 ; b',
  'hasOwnProperty=1; toString=2',
  'kept=x; kept.sig=y',
];
const TYPES = [
  ...words(
    '; / */* application application/ /json application/json; application/json;; application/json;charset',
    'application/json;charset= application/json;charset=utf-\xe9 APPLICATION/JSON application/x+json',
    'application/+json +json json \xe9/\xe9 application/x-www-form-urlencoded; urlencoded multipart/form-data',
    '__proto__ __proto__/x constructor/json application/octet-stream',
  ),
  '',
  'application/json; charset="utf-8',
  'application/json; charset="utf-8"',
  'application/json; charset="utf\\-8"',
  'application/json; charset=UTF-8; charset=x',
  'application/json; charset=utf-7',
  'application/json; charset=__proto__',
  'application/json; charset=constructor',
  'application/json; charset=utf8',
  'application/json x',
  'application/json, text/plain',
  ' application/json ',
  'text/json; =',
  'application/json; a=b; c',
  'application/json; "',
  'text/plain\t;\tcharset=latin1',
  'text/plain; charset=binary',
  'text/plain; charset=hex',
  'text/plain; charset=base64',
  'text/plain; charset=utf-16',
  'text/plain; charset=ucs-2',
  'text/plain; charset=windows-1252',
  'text/plain; charset=utf-16be',
  'text/plain; charset=\xff',
  'text/plain; charset=',
  'text/plain; charset=internal',
  'text/plain; charset=_internal',
  'text/plain; charset=shift_jis',
  'application/x-www-form-urlencoded; charset=iso-8859-1',
  'application/x-www-form-urlencoded; charset=utf-16',
  'application/x-www-form-urlencoded; charset="UTF-8"',
  'application/x-www-form-urlencoded; charset=x',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="',
  'multipart/form-data; boundary=\xe9',
  `application/json; ${'a=b;'.repeat(200)}`,
  'application/json\xa0',
];
const CODINGS = [
  ...words(
    ', gzip, ,gzip GZIP x-gzip identity IDENTITY br zstd compress gzip;q=1 \xe9 __proto__ constructor toString',
    'deflate gzip * x-deflate',
  ),
  '',
  'gzip, gzip',
  'gzip ',
  'identity, gzip',
  'deflate, gzip',
  'x'.repeat(300),
];
const TEXTS = [
  ...words(
    'x //h http://[x/ \\\\h javascript:x \xe9 \x80\xff % %zz %0d%0a __proto__ constructor back .. " <b> a,b ; 1e3',
    '-1 0 404 null undefined \xc3\xa9 $&',
  ),
  '',
  'a\tb',
  ' ',
  '[object Object]',
  'x'.repeat(3_000),
  '\xed\xa0\x80',
  "$'",
  '%s %d %o',
];

/** Values by the name of the field. */
const VALUES: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['Host', HOST_VALUES],
  ['Host', HOST_VALUES],
  ['X-Forwarded-Host', HOST_VALUES],
  ['X-Forwarded-For', ADDRESSES],
  ['X-Forwarded-For', ADDRESSES],
  ['X-Forwarded-Proto', PROTOCOLS],
  ['Accept', ACCEPTS],
  ['Accept', ACCEPTS],
  ['Accept-Charset', CHOICES],
  ['Accept-Encoding', CHOICES],
  ['Accept-Language', CHOICES],
  ['Range', RANGES],
  ['Range', RANGES],
  ['If-Range', [...TAGS, ...DATES]],
  ['If-None-Match', TAGS],
  ['If-Match', TAGS],
  ['If-Modified-Since', DATES],
  ['If-Unmodified-Since', DATES],
  [
    'Cache-Control',
    [
      '',
      'no-cache',
      'NO-CACHE',
      'x,no-cache',
      'no-cache=1',
      'max-age=0, no-cache',
      'xno-cache',
      ' no-cache ,',
      ',',
      '\xe9',
    ],
  ],
  ['Cookie', COOKIES],
  ['Cookie', COOKIES],
  ['Content-Type', TYPES],
  ['Content-Encoding', CODINGS],
  [
    'Connection',
    [
      '',
      ',',
      ',,',
      ', close',
      'CLOSE',
      'close,',
      'x',
      'clo se',
      'close;x',
      'keep-alive',
      'Keep-Alive, x',
      'close, keep-alive',
      '"close"',
      '\xe9',
    ],
  ],
  ['Upgrade', ['', ',', 'h2c', 'websocket', 'h2c, websocket', 'x/1', '\xe9']],
  ['Referer', TEXTS],
  ['Referrer', TEXTS],
  ['X-Odd', TEXTS],
  ['X-Odd', TEXTS],
  ['X-Requested-With', ['', 'xmlhttprequest', 'XMLHttpRequest, x', ' XMLHttpRequest ', 'XMLHTTPREQUEST', '\xe9']],
  ['__proto__', TEXTS],
  ['Constructor', TEXTS],
  ['TE', ['', 'trailers', 'trailers, x', 'chunked;q=0']],
  ['Origin', ['', 'null', 'http://[x', '*', '\xe9', 'http://a.example, http://b.example']],
  ['Access-Control-Request-Method', ['', 'x', 'get', '\xe9', ',']],
  ['Access-Control-Request-Headers', ['', ',', '*', '\xe9', 'x,,y']],
];

export function oddField(random: Seeded): readonly [name: string, value: string] {
  const [name, values] = random.pick(VALUES);
  return [random.chance(0.1) ? random.pick([name.toLowerCase(), name.toUpperCase()]) : name, random.pick(values)];
}

export const ODD_EXPECTATIONS = [
  '',
  '100-continue',
  '100-Continue',
  '100-continue, x',
  ',100-continue',
  'x',
  '\xe9',
  '100-continue;x',
];

const JSONS = [
  ...words(
    '[ { } nul null 1 - "" " {"__proto__":{"x":1}} {"constructor":{"prototype":{"x":1}}} {"a":1}x {"a":1,}',
    '{"a":"\\ud800"} {"a":"\\u0000"} {"a":"\xff"} {"a":"\xc3\xa9"} \xff\xfe{} \xef\xbb\xbf \xef\xbb\xbf[] # //',
    '[1,2 {"a":1}{"b":2} [NaN] {"a":1e999} {"toJSON":1} {"length":9,"0":1} {"q":"<b>"} [[[]]] {"$&":1 $& {"a":tru',
  ),
  '',
  ' ',
  '\0',
  "{'a':1}",
  '\t\n{"a":1}\r\n',
  '\x0b[]',
  '\xa0{}',
  '['.repeat(5_000),
  `${'['.repeat(300)}${']'.repeat(300)}`,
];
const FORMS = [
  ...words(
    '& &&& = == =&= a a= a=1&a=2 a[]=1&a[]=2 a[b]=1&a=2 a[ a]=1 []=1 a[100]=x a[21]=x&a[0]=y __proto__=1',
    '__proto__[x]=1 a[__proto__][x]=1 constructor[prototype][x]=1 hasOwnProperty=1 a.b=1 a%5Bb%5D=1 % %=% a=%zz',
    'a=%E9 a=%c3%28 %c3=1 a=+&+=b a=\xe9 a=\xc3\xa9 \xef\xbb\xbfa=1 a;b=1;c utf8=%26%2310003%3B&a=%E9',
    'utf8=%E2%9C%93&a=%E9 a=%26%23233%3B a=&#233; q=#f a?b=c',
  ),
  '',
  'a=\0',
  `a${'[b]'.repeat(31)}=1`,
  `a${'[b]'.repeat(33)}=1`,
  `a${'[b]'.repeat(300)}=1`,
  'a[]=1&'.repeat(30),
  'a[]=1&'.repeat(999),
  'a=1&'.repeat(1_000),
  'a=1&'.repeat(1_001),
  '&'.repeat(1_100),
  Array.from({ length: 40 }, (_, i) => `a[${i}]=1`).join('&'),
];

/** @returns the fields and the octets of a body */
export function oddBody(random: Seeded): readonly [fields: readonly (readonly [string, string])[], body: string] {
  const kind = random.below(10);
  const body = random.pick([JSONS, JSONS, FORMS, FORMS, TEXTS][kind % 5]);
  const usual = kind % 5 < 2 ? 'application/json' : kind % 5 < 4 ? 'application/x-www-form-urlencoded' : 'text/plain';
  const fields: (readonly [string, string])[] = [['Content-Type', random.chance(0.4) ? random.pick(TYPES) : usual]];
  if (random.chance(0.15)) fields.push(['Content-Encoding', random.pick(CODINGS)]);
  return [fields, body];
}
