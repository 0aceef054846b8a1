import http = require('node:http');
import path from 'node:path';
import type express = require('express');
import { folder } from '../support/folder.js';
import type { Framework } from '../support/framework.js';
import { handlers, parities, request, type HandlerRow, type Program, type Turn } from './stage.js';

// Programs count what they send by replacing `write` and `end` on a prototype. This file has a process of its own: they stay replaced.

const root = folder({ 'digits.txt': '0123456789', 'empty.txt': '', 'large.txt': 'l'.repeat(65_537) });

interface Counted {
  readonly locals?: { readonly tell?: (what: unknown) => void };
}
type Method = (this: Counted, chunk?: string | Uint8Array, ...rest: unknown[]) => unknown;

const done = new WeakSet();

/** Puts functions in front of the methods, once. They tell the handler of their response what they get. */
function replace(owner: object, names: readonly string[]): void {
  if (done.has(owner)) return;
  done.add(owner);
  const methods = owner as Record<string, Method>;
  for (const name of names) {
    const original = methods[name];
    methods[name] = function (chunk, ...rest) {
      this.locals?.tell?.([name, chunk?.length]);
      return original.call(this, chunk, ...rest);
    };
  }
}

/** Ways to send a file. */
const WAYS: Readonly<Record<string, (turn: Turn, name: string) => unknown>> = {
  static: ({ req, res, next }, name) => {
    req.url = `/${name}`;
    (req.app.locals['files'] as express.Handler)(req, res, next);
  },
  'res.sendFile': ({ res }, name) => res.sendFile(path.join(root, name)),
  'res.sendFile with a callback': ({ res, note }, name) => res.sendFile(path.join(root, name), () => note('sent')),
  'res.download': ({ res }, name) => res.download(path.join(root, name)),
  'res.send': ({ res }, name) => res.send(name),
};

const rows = Object.entries(WAYS).flatMap(([way, send]) =>
  ['digits.txt', 'empty.txt', 'large.txt'].flatMap((name) =>
    ['GET', 'HEAD'].map((method): HandlerRow => [
      `${method} of ${name} by ${way}`,
      (turn) => {
        turn.res.locals['tell'] = turn.note;
        send(turn, name);
      },
      request(`${method} /${encodeURIComponent(way)}/${name}`),
    ]),
  ),
);

/**
 * Not over HTTP/2, where the methods that a program finds on these prototypes are those of HTTP/1.
 *
 * @param ownerOf the prototype on which the methods are replaced
 */
function replaced(
  where: string,
  names: readonly string[],
  ownerOf: (app: express.Express, make: Framework) => object,
): Program {
  const program = handlers(`${names.join(' and ')} replaced on ${where}`, rows, (app, make) => {
    app.locals['files'] = make.static(root);
    replace(ownerOf(app, make), names);
  });
  return { ...program, served: 'http.createServer' };
}

const BOTH = ['write', 'end'];
parities([
  replaced('app.response', ['write'], (app) => app.response),
  replaced('app.response', ['end'], (app) => app.response),
  replaced('app.response', BOTH, (app) => app.response),
  replaced('http.ServerResponse', BOTH, () => http.ServerResponse.prototype),
  // Last: what is found here calls node's at any time on Nonstop, and on Express only if it is taken behind them.
  replaced('express.response', BOTH, (_app, make) => make.response),
]);
