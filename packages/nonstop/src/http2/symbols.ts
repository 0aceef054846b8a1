/**
 * On a request and its response: the `Http2Stream` that carries them. Other copies of the package recognise messages of
 * this package by it.
 */
export const kStream: unique symbol = Symbol('nonstop.stream');
/** On a request, and on its stream: its response. The response has its request under `kRequest`, as over HTTP/1. */
export const kResponse: unique symbol = Symbol('nonstop.response');
/** On a request: the header block as an object of `node:http2`. */
export const kBlock: unique symbol = Symbol('nonstop.block');
/** On a request: alternating names and values of the header block, as received. */
export const kRawBlock: unique symbol = Symbol('nonstop.rawBlock');
export const kHeaders: unique symbol = Symbol('nonstop.headers');
export const kDistinctHeaders: unique symbol = Symbol('nonstop.headersDistinct');
export const kRawFields: unique symbol = Symbol('nonstop.rawFields');
export const kTrailers: unique symbol = Symbol('nonstop.trailers');
export const kReadTrailers: unique symbol = Symbol('nonstop.readTrailers');
/** On a request: the state of its body. */
export const kReading: unique symbol = Symbol('nonstop.reading');
/** On a request: the session of its stream, because the stream loses it at its end. */
export const kSession: unique symbol = Symbol('nonstop.session');
/** On a request: the collector of its body, with the octets so far. */
export const kCollection: unique symbol = Symbol('nonstop.collection');
/** On a request: the controller of its `signal`, once a program has asked for that. */
export const kAborter: unique symbol = Symbol('nonstop.aborter');
export const kSocketView: unique symbol = Symbol('nonstop.socketView');
/** On a response: the fields of its head, once the head is made and until it is sent. */
export const kHead: unique symbol = Symbol('nonstop.head');
/** On a response: whether its head has a Content-Length, so that no trailers follow. */
export const kMeasured: unique symbol = Symbol('nonstop.measured');
export const kNeedsDrain: unique symbol = Symbol('nonstop.needsDrain');
/** On a response: a timeout has been set on its stream. */
export const kTimed: unique symbol = Symbol('nonstop.timed');
/** On a response: how much of it the stream has. */
export const kDelivery: unique symbol = Symbol('nonstop.delivery');

/** How much of a response its stream has. What the program has done to it is in node's own `finished` and `destroyed`. */
export const enum Delivery {
  /** Not all of it, or the stream was reset. */
  Open = 0,
  /** The stream's handle has all of it, and calls back when it is written. */
  InHandle = 1,
  /** It was handed over completely: `'finish'` is emitted. */
  Done = 2,
}

/** The state of a request's body. */
export const enum Reading {
  /** The stream has not been used. */
  Untouched = 0,
  /** The request is a stream that has not been read. */
  Open = 1,
  /** The octets of the HTTP/2 stream flow to the reader. */
  Flowing = 2,
  /** The octets are collected for a body parser. */
  Collecting = 3,
  /** The body parser has the whole body. */
  Collected = 4,
}
