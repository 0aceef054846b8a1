import type http = require('node:http');
import type net = require('node:net');
import { Duplex } from 'node:stream';
import { NodeHttpServer } from './classes.js';
import { IS_OTHER_RUNTIME } from './differences.js';
import { nodeListener } from './http-servers.js';

/** A connection of node's own HTTP, on any stream. */
interface Parsed extends Duplex {
  readonly parser?: { onIncoming: unknown } | null;
}

interface Answer {
  readonly request: http.IncomingMessage;
  /** Whether another request may follow on the connection. */
  readonly isPersistent: boolean;
}

/**
 * Asks the HTTP parser of the running node what it makes of a request. A flag of the process changes what it accepts, and node may be built with
 * another parser than the one of its release, so neither flags nor versions tell. The request is not seen elsewhere: no response is made, and
 * no `'request'` emitted.
 *
 * @param head the request up to its empty line
 * @param maxHeadersCount of the server; node's default without it
 * @returns undefined if node refuses the request
 */
export function askParser(head: string, maxHeadersCount?: number): Answer | undefined {
  const server = new NodeHttpServer();
  if (maxHeadersCount !== undefined) server.maxHeadersCount = maxHeadersCount;
  // Otherwise node would write a response to the refused request.
  server.on('clientError', () => undefined);
  const connection: Parsed = new Duplex({ read: nothing, write: nothing });
  // Not by an event: another copy of this package may serve the connections of each server, with an engine and a timer for each.
  const accept: typeof nodeListener | undefined = nodeListener;
  accept?.call(server, connection as Duplex as net.Socket);
  let answer: Answer | undefined;
  const onIncoming = (request: http.IncomingMessage, isPersistent: boolean): number => {
    answer = { request, isPersistent };
    return 0;
  };
  if (connection.parser == null) return undefined;
  connection.parser.onIncoming = onIncoming;
  connection.emit('data', Buffer.from(head));
  // Gives the parser back to node.
  connection.destroy();
  return answer;
}

function nothing(): void {
  // No octets go in or out.
}

const post = 'POST / HTTP/1.1\r\nHost: a\r\n';
const isNode = !IS_OTHER_RUNTIME;

/** Whether the parser lets octets pass that are invalid in a field, because of `--insecure-http-parser` in one of its spellings. */
export const PARSER_IS_LENIENT = isNode && askParser(`${post}A: \u0001\r\n\r\n`) !== undefined;

/** Whether a head with more lines than `maxHeadersCount` is refused with 431 (22.23.2, 24.18.1, 26.5.1). Before, the other lines were dropped. */
export const FIELD_LINES_ARE_LIMITED = isNode && askParser(`${post}A: b\r\n\r\n`, 1) === undefined;

/** Whether `rawHeaders` has at most `maxHeadersCount` lines (22.22.3, 24.14). Before, the parser's batch of lines in which it ended was kept whole. */
export const BATCHES_OF_LINES_ARE_CUT =
  isNode && askParser(`${post}${'A: b\r\n'.repeat(70)}\r\n`, 1)?.request.rawHeaders.length === 2;
