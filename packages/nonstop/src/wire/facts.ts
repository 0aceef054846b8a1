/** What the engine has to know of a head's fields before they are read: one bit for each fact. */
export const enum Fact {
  ContentLength = 1,
  TransferEncoding = 2,
  /** The last transfer coding seen so far is `chunked`. */
  Chunked = 4,
  ConnectionClose = 8,
  ConnectionKeepAlive = 16,
  ConnectionUpgrade = 32,
  Upgrade = 64,
  Expect = 128,
  Host = 256,
  /** If-None-Match or If-Modified-Since (RFC 9110 §13.1): every response has to know whether its request is conditional. */
  Conditional = 512,
  /** The head has more lines than node's parser passes on at once. */
  ManyLines = 1024,
}

/** The facts of one head, collected field by field. Those of framing decide the length of its body (`wire/framing`). */
export interface HeadFacts {
  facts: number;
  /** -1 without Content-Length. */
  contentLength: number;
}
