import type http = require('node:http');
import type http2 = require('node:http2');
import type { Readable } from 'node:stream';
import type { BodyCollector } from '../core/request-shortcuts.js';
import type {
  kBlock,
  kCollection,
  kDistinctHeaders,
  kFinished,
  kHead,
  kHeaders,
  kMeasured,
  kNeedsDrain,
  kOther,
  kRawBlock,
  kRawFields,
  kReading,
  kSession,
  kSocketView,
  kStream,
  kTimed,
  kTrailers,
  Reading,
} from './symbols.js';

export type Fields = Record<string, string | string[] | undefined>;

/** A header block on its way out, as `http2stream.respond()` takes it. */
export type HeaderBlock = Record<string, string | number | string[]>;

/** A body on its way to a parser that wants it as a whole. */
export interface Collection {
  readonly collector: BodyCollector;
  readonly chunks: Buffer[];
  size: number;
}

/** A request, with what it keeps for itself. */
export interface Http2Request extends Omit<http.IncomingMessage, keyof Readable>, Readable {
  _eventsCount: number;
  _maxListeners: number | undefined;
  _events: object;
  [kStream]: http2.ServerHttp2Stream;
  [kOther]: Http2Response;
  [kBlock]: http2.IncomingHttpHeaders;
  [kRawBlock]: string[];
  [kHeaders]: Fields | null;
  [kDistinctHeaders]: Fields | null;
  [kRawFields]: string[] | null;
  [kTrailers]: string[] | null;
  [kReading]: Reading;
  [kCollection]: Collection | null;
  [kSession]: http2.Http2Session | undefined;
  [kSocketView]: object | null;
}

/** A response, with what it keeps for itself and the state of `http.ServerResponse` that its borrowed methods use. */
export interface Http2Response extends Omit<http.ServerResponse, 'req' | 'writable' | 'write' | 'end'> {
  _events: object;
  _eventsCount: number;
  _maxListeners: number | undefined;
  writable: boolean;
  req: Http2Request;
  [kStream]: http2.ServerHttp2Stream;
  [kHead]: HeaderBlock | null;
  [kMeasured]: boolean;
  [kNeedsDrain]: boolean;
  [kFinished]: boolean;
  [kTimed]: boolean;
  [nodeState: symbol]: unknown;
  _header: string | null;
  _headerSent: boolean;
  _hasBody: boolean;
  _contentLength: number | null;
  _removedContLen: boolean;
  _removedTE: boolean;
  _removedConnection: boolean;
  _expect_continue: boolean;
  _sent100: boolean;
  _closed: boolean;
  _trailer: string;
  finished: boolean;
  destroyed: boolean;
  _implicitHeader(): void;
  write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean;
  end(chunk?: unknown, encoding?: unknown, callback?: unknown): Http2Response;
}
