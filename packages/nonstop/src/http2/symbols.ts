/** On a request and its response: the `Http2Stream` that carries them. Other copies of the package see by it whose they are. */
export const kStream: unique symbol = Symbol('nonstop.stream');
/** On a request: its response, and the other way round. */
export const kOther: unique symbol = Symbol('nonstop.other');
/** On a request: the header block, as `node:http2` made an object of it. */
export const kBlock: unique symbol = Symbol('nonstop.block');
/** On a request: names and values of the header block in turn, as they came. */
export const kRawBlock: unique symbol = Symbol('nonstop.rawBlock');
export const kHeaders: unique symbol = Symbol('nonstop.headers');
export const kDistinctHeaders: unique symbol = Symbol('nonstop.headersDistinct');
export const kRawFields: unique symbol = Symbol('nonstop.rawFields');
export const kTrailers: unique symbol = Symbol('nonstop.trailers');
/** On a request: how far its body is given to its reader. */
export const kReading: unique symbol = Symbol('nonstop.reading');
/** On a request: the session that its stream came on, which the stream forgets when it ends. */
export const kSession: unique symbol = Symbol('nonstop.session');
/** On a request: who collects its body, and what has come of that. */
export const kCollection: unique symbol = Symbol('nonstop.collection');
export const kSocketView: unique symbol = Symbol('nonstop.socketView');
/** On a response: the fields of its head, once the head is made and until it is sent. */
export const kHead: unique symbol = Symbol('nonstop.head');
/** On a response: whether its head has a Content-Length, so that no trailers follow. */
export const kMeasured: unique symbol = Symbol('nonstop.measured');
export const kNeedsDrain: unique symbol = Symbol('nonstop.needsDrain');
/** On a response: somebody has set a timeout on its stream. */
export const kTimed: unique symbol = Symbol('nonstop.timed');
/** On a response: all of it is handed over. */
export const kFinished: unique symbol = Symbol('nonstop.finished');

/** How far a request's body is given to its reader. */
export const enum Reading {
  /** Nobody has asked for the stream. */
  Untouched = 0,
  /** The request is a stream, of which nothing has been read. */
  Open = 1,
  /** The octets of the HTTP/2 stream are on their way to the reader. */
  Flowing = 2,
  /** They are collected for a body parser, which gets them as a whole. */
  Collecting = 3,
  /** The body parser has all of it. */
  Collected = 4,
}
