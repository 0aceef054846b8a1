// Loaded first on both sides: random numbers and the clock give the same values in every run.
'use strict';
const crypto = require('node:crypto');
const { syncBuiltinESMExports } = require('node:module');

/** 2026-01-01, far from the end of a minute, an hour or a month. */
const NOON = Date.UTC(2026, 0, 1, 12, 30, 30);

/** Replaces Math.random() and node:crypto's randomness by one sequence. */
function holdChance() {
  let state = 0x2545f491;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  Math.random = () => next() / 2 ** 32;
  const fill = (view) => {
    const octets = ArrayBuffer.isView(view)
      ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
      : new Uint8Array(view);
    for (let place = 0; place < octets.length; place++) octets[place] = next() & 255;
    return view;
  };
  const bytes = (size) => fill(Buffer.alloc(size));
  const later = (callback, ...values) => process.nextTick(callback, null, ...values);
  crypto.randomBytes = (size, callback) => (callback ? later(callback, bytes(size)) : bytes(size));
  crypto.pseudoRandomBytes = crypto.randomBytes;
  crypto.randomFillSync = (view, offset = 0, size = view.byteLength - offset) => {
    bytes(size).copy(Buffer.from(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength), offset);
    return view;
  };
  crypto.randomFill = (view, ...rest) => later(rest.pop(), crypto.randomFillSync(view, ...rest));
  crypto.randomInt = (...args) => {
    const callback = typeof args.at(-1) === 'function' ? args.pop() : undefined;
    const [least, most] = args.length > 1 ? args : [0, args[0]];
    const value = least + Math.floor(Math.random() * (most - least));
    return callback ? later(callback, value) : value;
  };
  crypto.randomUUID = () => {
    const hex = bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  const web = Object.getPrototypeOf(crypto.webcrypto);
  for (const [name, value] of [
    ['getRandomValues', fill],
    ['randomUUID', crypto.randomUUID],
  ])
    Object.defineProperty(web, name, { value, writable: true, configurable: true });
  syncBuiltinESMExports();
}

/** `new Date()` and `Date.now()` are constant; timers run. */
function holdClock() {
  const Real = Date;
  globalThis.Date = class Date extends Real {
    constructor(...args) {
      if (args.length === 0) super(NOON);
      else super(...args);
    }
    static now() {
      return NOON;
    }
  };
}

module.exports = { holdChance, holdClock };
