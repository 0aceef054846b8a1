import { lazy, lazyPart } from './lazy.js';

/* Packages that several folders use: one place where each is loaded, on first use or soon after the start. */

export const encodeUrl = lazy(() => require('encodeurl') as typeof import('encodeurl'));
export const escapeHtml = lazy(() => require('escape-html') as typeof import('escape-html'));
/** Reads and writes media types with their parameters. */
export const mediaTypes = lazy(() => require('content-type') as typeof import('content-type'));
/** The table of media types. */
export const mimeTypes = lazyPart('media types', () => require('mime-types') as typeof import('mime-types'));
export const onFinished = lazy(() => require('on-finished') as typeof import('on-finished'));
export const qs = lazyPart('nested queries', () => require('qs') as typeof import('qs'));
