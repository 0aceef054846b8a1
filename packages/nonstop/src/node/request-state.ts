import type { Socket } from 'node:net';
import { NodeRequest } from './classes.js';
import { symbolOf } from './symbol-of.js';

const sample = new (NodeRequest as unknown as new (socket?: Socket) => object)();

/** `headers` as they were read last, or null. */
export const kNodeHeaders = symbolOf(sample, 'kHeaders')!;
/** Entries of `rawHeaders` that `headers` is made of. */
export const kHeadersCount = symbolOf(sample, 'kHeadersCount')!;
export const kNodeTrailers = symbolOf(sample, 'kTrailers')!;
export const kTrailersCount = symbolOf(sample, 'kTrailersCount')!;
/** What `req.signal` stands on (Node 26, and 24 from some release on). */
export const kAbortController = symbolOf(sample, 'kAbortController');
export const kAbortSignalSocket = symbolOf(sample, 'kAbortSignalSocket');
export const kAbortSignalListener = symbolOf(sample, 'kAbortSignalListener');
export const kAbortSignalDetached = symbolOf(sample, 'kAbortSignalDetached');

/** node's method that parts `req.signal` from the socket; where there is no `signal`, there is none. */
export const kDetachAbortSignal = symbolOf(NodeRequest.prototype, 'kDetachAbortSignal');
