import type express = require('express');
import { asking, parities, pipelined, type Build, type Program } from './stage.js';

/** Values of `trust proxy`; the client is always 127.0.0.1. */
const TRUSTS: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['false', false],
  ['true', true],
  ['no hop', 0],
  ['one hop', 1],
  ['two hops', 2],
  ['many hops', 99],
  ['loopback', 'loopback'],
  ['linklocal and uniquelocal, not loopback', 'linklocal, uniquelocal'],
  ['loopback and uniquelocal', 'loopback,uniquelocal'],
  ['an address', '127.0.0.1'],
  ['another address', '10.0.0.9'],
  ['a network', '127.0.0.0/8, 10.0.0.0/8'],
  ['a network by mask', '127.0.0.0/255.0.0.0'],
  ['an IPv6 network', ['127.0.0.1', 'fe80::/10', '::1']],
  ['a list', ['loopback', '10.0.0.2']],
  ['an empty list', []],
  ['a function', (address: string, hop: number) => hop === 0 || address.startsWith('10.')],
  ['a function that trusts no address', () => false],
  ['a function that trusts by something true', (address: string) => address],
];

const FORWARDED: readonly Record<string, string>[] = [
  {},
  { 'X-Forwarded-For': '10.0.0.1' },
  { 'X-Forwarded-For': '10.0.0.1, 10.0.0.2, 192.168.0.3' },
  { 'X-Forwarded-For': ' 203.0.113.7 ,10.0.0.2,  127.0.0.1 ' },
  { 'X-Forwarded-For': 'fe80::1, ::1, ::ffff:10.0.0.2' },
  { 'X-Forwarded-For': 'rubbish, 10.0.0.2' },
  { 'X-Forwarded-For': ',' },
  { 'X-Forwarded-For': '' },
  { 'X-Forwarded-Proto': 'https' },
  { 'X-Forwarded-Proto': 'https, http' },
  { 'X-Forwarded-Proto': ' HTTPS ' },
  { 'X-Forwarded-Proto': 'wss,https' },
  { 'X-Forwarded-Proto': ',http' },
  { 'X-Forwarded-Host': 'a.b.c.example' },
  { 'X-Forwarded-Host': 'a.b.example:8080, c.example' },
  { 'X-Forwarded-Host': ' a.example , b.example' },
  { 'X-Forwarded-Host': '[::1]:3000' },
  { 'X-Forwarded-Host': '' },
  { 'X-Forwarded-Host': ', b.example' },
];

const whole = (req: express.Request): unknown => {
  const { ip, ips, protocol, secure, host, hostname, subdomains } = req;
  // Without trusted proxies all answers are equal, except for the sent fields in them.
  const said = ['for', 'proto', 'host'].map((what) => req.get(`X-Forwarded-${what}`));
  return { ip, ips, protocol, secure, host, hostname, subdomains, said };
};

const trusting =
  (value: unknown): Build =>
  (app) => {
    if (value !== undefined) app.set('trust proxy', value);
  };

const trusts = TRUSTS.map(([name, value]): Program =>
  asking(`req.ip, ips, protocol, secure, host and hostname, trusting ${name}`, whole, {
    setup: trusting(value),
    rows: pipelined(FORWARDED.map((fields) => ['GET /', { Host: 'www.example.com', ...fields }] as const)),
  }),
);

const HOSTS = [
  'example.com',
  'a.b.example.com',
  'a.b.example.com:3000',
  'EXAMPLE.com',
  'localhost',
  '127.0.0.1',
  '127.0.0.1:80',
  '[::1]',
  '[::1]:80',
  '[fe80::1%25eth0]:80',
  'a..b.example.com',
  'example.com.',
  'example.com:',
  ':80',
  '',
  'user@example.com',
];

const offsets = [0, 1, 2, 3, -1, undefined].map((offset): Program =>
  asking(`req.hostname and subdomains with a subdomain offset of ${offset}`, whole, {
    setup: (app) => void app.set('subdomain offset', offset),
    rows: pipelined(HOSTS.map((Host) => ['GET /', { Host }] as const)),
  }),
);

/** Test doubles and adapters have their own. */
const peers = (['socket', 'connection'] as const).flatMap((member) =>
  [false, true].map((trust): Program => {
    const ask = (req: express.Request): unknown => {
      Object.defineProperty(req, member, { value: { encrypted: true, remoteAddress: '10.0.0.9' } });
      return whole(req);
    };
    return asking(`req.ip, protocol and host of a request whose ${member} is replaced, trusting ${trust}`, ask, {
      setup: trusting(trust && ((address: string) => address === '10.0.0.9')),
      rows: pipelined(FORWARDED.map((fields) => ['GET /', { Host: 'www.example.com', ...fields }] as const)),
    });
  }),
);

const listed: Program = asking(
  'req.hostname of a Host that a program has made a list',
  (req) => {
    Object.assign(req.headers, { host: ['a.example', 'b.example'] });
    return [req.hostname, req.get('Host')];
  },
  { rows: pipelined([['GET /']]) },
);

parities([...trusts, ...offsets, ...peers, listed]);
