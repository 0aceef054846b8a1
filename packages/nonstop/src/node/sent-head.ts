import type http = require('node:http');
import type { ResponseState } from './message-state.js';

/** The head of a response as text; empty before it is made, and over HTTP/2. Fields that only `writeHead()` got are nowhere else. */
export function sentHead(res: http.ServerResponse): string {
  const { _header: head } = res as Partial<Pick<ResponseState, '_header'>>;
  return typeof head === 'string' ? head : '';
}
