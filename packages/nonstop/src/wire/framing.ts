import { WireError } from '../core/errors.js';
import { trimOwsEnd, trimOwsStart } from '../core/strings.js';
import { trimSpaceEnd } from './ascii.js';
import { LENGTHS_MAY_END_IN_HTAB, OPTIONS_MAY_END_IN_HTAB } from '../node/differences.js';
import { Fact, type HeadFacts } from './facts.js';

const trimLength = LENGTHS_MAY_END_IN_HTAB ? trimOwsEnd : trimSpaceEnd;
const trimOption = OPTIONS_MAY_END_IN_HTAB ? trimOwsEnd : trimSpaceEnd;

type Note = (head: HeadFacts, value: string) => void;

/** What a field adds to the facts of its head, by its name in lower case. */
const NOTES: ReadonlyMap<string, Note> = new Map<string, Note>([
  ['content-length', noteContentLength],
  ['transfer-encoding', noteTransferEncoding],
  ['connection', noteConnection],
  ['proxy-connection', noteConnection],
  ['upgrade', noteUpgrade],
  ['expect', whenPresent(Fact.Expect)],
  ['host', whenPresent(Fact.Host)],
  ['if-none-match', whenPresent(Fact.Conditional)],
  ['if-modified-since', whenPresent(Fact.Conditional)],
]);

/** The fields that tell facts, in lower case. */
export const NAMES_WITH_FACTS: readonly string[] = [...NOTES.keys()];

/**
 * Collects the facts of one field line.
 *
 * @param name the field name in lower case
 * @param value the field value with leading whitespace removed; trailing whitespace may still be there
 * @throws {WireError} if the line makes the length of the message ambiguous, which allows request smuggling
 */
export function noteField(head: HeadFacts, name: string, value: string): void {
  NOTES.get(name)?.(head, value);
}

function whenPresent(fact: Fact): Note {
  return (head) => {
    head.facts |= fact;
  };
}

// llhttp takes an Upgrade without a protocol for no Upgrade: the request is an ordinary one.
function noteUpgrade(head: HeadFacts, value: string): void {
  if (trimOwsEnd(value) !== '') head.facts |= Fact.Upgrade;
}

// RFC 9112 §6.3 lets a server read "5, 5" as one value. llhttp refuses it, and so does this.
function noteContentLength(head: HeadFacts, value: string): void {
  if (head.facts & Fact.TransferEncoding) {
    throw new WireError('HPE_INVALID_CONTENT_LENGTH', "Content-Length can't be present with Transfer-Encoding");
  }
  if (head.facts & Fact.ContentLength) {
    throw new WireError('HPE_UNEXPECTED_CONTENT_LENGTH', 'Duplicate Content-Length');
  }
  head.facts |= Fact.ContentLength;
  const digits = trimLength(value);
  if (digits === '') throw new WireError('HPE_INVALID_CONTENT_LENGTH', 'Empty Content-Length');
  let length = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) {
      throw new WireError('HPE_INVALID_CONTENT_LENGTH', 'Invalid character in Content-Length');
    }
    length = length * 10 + digit;
  }
  if (length >= 2 ** 64) throw new WireError('HPE_INVALID_CONTENT_LENGTH', 'Content-Length overflow');
  head.contentLength = length;
}

// RFC 9112 §6.1: chunked is applied once and last. The next hop may read a coding behind it differently.
function noteTransferEncoding(head: HeadFacts, value: string): void {
  if (head.facts & Fact.ContentLength) {
    throw new WireError('HPE_INVALID_TRANSFER_ENCODING', "Transfer-Encoding can't be present with Content-Length");
  }
  if (head.facts & Fact.Chunked) {
    throw new WireError('HPE_INVALID_TRANSFER_ENCODING', 'Invalid `Transfer-Encoding` header value');
  }
  head.facts |= Fact.TransferEncoding;
  const codings = value.toLowerCase().split(',');
  if (codings.length === 1 && trimOwsEnd(codings[0]) === '') {
    throw new WireError('HPE_INVALID_TRANSFER_ENCODING', 'Empty Transfer-Encoding');
  }
  for (let i = 0; i < codings.length; i++) {
    // After the name llhttp accepts only SP: `chunked\t` is another coding, and the end of the body is unknown.
    if (trimSpaceEnd(trimOwsStart(codings[i])) !== 'chunked') continue;
    if (i !== codings.length - 1) {
      throw new WireError('HPE_INVALID_TRANSFER_ENCODING', 'Invalid `Transfer-Encoding` header value');
    }
    head.facts |= Fact.Chunked;
  }
}

function noteConnection(head: HeadFacts, value: string): void {
  const options = value.toLowerCase();
  if (options === 'keep-alive') head.facts |= Fact.ConnectionKeepAlive;
  else if (options === 'close') head.facts |= Fact.ConnectionClose;
  else {
    for (const option of options.split(',')) {
      const token = trimOption(trimOwsStart(option));
      if (token === 'keep-alive') head.facts |= Fact.ConnectionKeepAlive;
      else if (token === 'close') head.facts |= Fact.ConnectionClose;
      else if (token === 'upgrade') head.facts |= Fact.ConnectionUpgrade;
    }
  }
}

/**
 * Whether the connection may carry another request after this one (RFC 9112 §9.3). As in llhttp, when a request has both
 * `close` and `keep-alive`, the one that is not the default of its HTTP version counts.
 */
export function isPersistent(facts: number, major: number, minor: number): boolean {
  if (major > 0 && minor > 0) return (facts & Fact.ConnectionClose) === 0;
  return (facts & Fact.ConnectionKeepAlive) !== 0;
}
