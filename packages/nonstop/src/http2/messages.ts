import type http = require('node:http');
import type http2 = require('node:http2');
import type { Readable } from 'node:stream';
import type { Pieces } from '../core/pieces.js';
import type { BodyCollector } from '../core/shortcuts.js';
import type { kRequest } from '../http/message.js';
import type { Fields } from '../node/incoming-fields.js';
import type { RequestState, ResponseState } from '../node/message-state.js';
import type {
  kAborter,
  kBlock,
  kCollection,
  kDelivery,
  kDistinctHeaders,
  kHead,
  kHeaders,
  kMeasured,
  kNeedsDrain,
  kRawBlock,
  kRawFields,
  kReading,
  kResponse,
  kSession,
  kSocketView,
  kStream,
  kTimed,
  kReadTrailers,
  kTrailers,
  Delivery,
  Reading,
} from './symbols.js';

/** A header block to send, in the form of `http2stream.respond()`. */
export type HeaderBlock = Record<string, string | number | string[]>;

/** A body that is being collected for a parser. */
export interface Collection {
  readonly collector: BodyCollector;
  readonly pieces: Pieces;
  /** Whether it arrives without the stream's readable side. */
  isDirect: boolean;
}

type StateOfRequests = '_events' | '_eventsCount' | '_maxListeners' | '_readableState';

/** State of a response about its connection. */
type OfConnections =
  | '_last'
  | '_defaultKeepAlive'
  | '_keepAliveTimeout'
  | '_maxRequestsPerSocket'
  | '_onPendingData'
  | 'outputData'
  | 'outputSize';

/** A request with its internal state. */
export interface Http2Request
  extends Omit<http.IncomingMessage, keyof Readable>, Readable, Pick<RequestState, StateOfRequests> {
  [kStream]: http2.ServerHttp2Stream;
  [kResponse]: Http2Response;
  [kBlock]: http2.IncomingHttpHeaders;
  [kRawBlock]: string[];
  [kHeaders]: Fields | null;
  [kDistinctHeaders]: Fields | null;
  [kRawFields]: string[] | null;
  [kTrailers]: string[] | null;
  /** `trailers`, if a program has read or set them. */
  [kReadTrailers]?: Fields | undefined;
  [kReading]: Reading;
  [kCollection]: Collection | null;
  [kSession]: http2.Http2Session | undefined;
  [kSocketView]: object | null;
  [kAborter]?: AbortController;
  /** The rest of its body is not wanted. */
  _dumped: boolean;
}

/** A response with its internal state and the state of `http.ServerResponse` that its borrowed methods use. */
export interface Http2Response
  extends Omit<http.ServerResponse, 'req' | 'write' | 'end' | keyof ResponseState>, Omit<ResponseState, OfConnections> {
  [kRequest]: Http2Request;
  /** For programs, which may replace it. */
  req: unknown;
  [kStream]: http2.ServerHttp2Stream;
  [kHead]: HeaderBlock | null;
  [kMeasured]: boolean;
  [kNeedsDrain]: boolean;
  [kDelivery]: Delivery;
  [kTimed]: boolean;
  [nodeState: symbol]: unknown;
  write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean;
  end(chunk?: unknown, encoding?: unknown, callback?: unknown): Http2Response;
}

/** An HTTP/2 stream that an answer of ours goes out on. */
export interface Carrier extends http2.ServerHttp2Stream {
  [kResponse]: Http2Response;
}
