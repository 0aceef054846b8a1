import { fieldValues } from '../support/raw-answer.js';
import type { Ask, Visitor } from './visitor.js';

type Row = readonly [name: string, status: number, request: Ask];

const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const json = { Accept: 'application/json' };

const reading: readonly Row[] = [
  ['the start page redirects', 302, { path: '/' }],
  ['the start page redirects HEAD', 302, { method: 'HEAD', path: '/', fields: html }],
  ['health', 200, { path: '/health' }],
  ['the list', 200, { path: '/issues', fields: html }],
  ['the list, HEAD', 200, { method: 'HEAD', path: '/issues' }],
  ['the list with a stale tag', 200, { path: '/issues', fields: { 'If-None-Match': 'W/"1-x"' } }],
  ['the list with any tag', 304, { path: '/issues', fields: { 'If-None-Match': '*' } }],
  ['a reload by force', 200, { path: '/issues', fields: { 'If-None-Match': '*', 'Cache-Control': 'no-cache' } }],
  ['the list in gzip', 200, { path: '/issues', fields: { 'Accept-Encoding': 'gzip' } }],
  ['the list in brotli', 200, { path: '/issues', fields: { 'Accept-Encoding': 'gzip, deflate, br' } }],
  ['the list in deflate', 200, { path: '/issues', fields: { 'Accept-Encoding': 'deflate' } }],
  ['the list as it is', 200, { path: '/issues', fields: { 'Accept-Encoding': 'identity' } }],
  ['the list with gzip refused', 200, { path: '/issues', fields: { 'Accept-Encoding': 'gzip;q=0, br;q=0' } }],
  ['the list in gzip, HEAD', 200, { method: 'HEAD', path: '/issues', fields: { 'Accept-Encoding': 'gzip' } }],
  ['too small to compress', 200, { path: '/health', fields: { 'Accept-Encoding': 'gzip' } }],
  ['a search', 200, { path: '/issues?state=closed&q=Is+there' }],
  ['a search that finds markup', 200, { path: '/issues?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E' }],
  ['a label', 200, { path: '/issues?label=docs' }],
  ['a parameter given twice', 200, { path: '/issues?state=open&state=closed' }],
  ['a page beyond the last', 200, { path: '/issues?page=7' }],
  ['a page that is no number', 400, { path: '/issues?page=-1', fields: html }],
  ['a second page', 200, { path: '/issues?per_page=20&page=2' }],
  ['an issue as a page', 200, { path: '/issues/7', fields: html }],
  ['an issue as JSON', 200, { path: '/issues/7', fields: json }],
  ['an issue as text', 200, { path: '/issues/7', fields: { Accept: 'text/plain' } }],
  ['an issue in a form that does not exist', 406, { path: '/issues/7', fields: { Accept: 'image/png' } }],
  ['an issue that does not exist', 404, { path: '/issues/999', fields: html }],
  ['an issue that cannot exist', 404, { path: '/issues/seven', fields: json }],
  ['an upper-case path', 200, { path: '/ISSUES/7', fields: json }],
  ['a path with a slash at its end', 200, { path: '/issues/7/', fields: json }],
  ['a bad escape in a path', 400, { path: '/issues/%zz', fields: json }],
  ['an escaped NUL in a path', 404, { path: '/issues/%00', fields: json }],
  ['the export', 200, { path: '/issues.csv' }],
  ['the export in gzip', 200, { path: '/issues.csv', fields: { 'Accept-Encoding': 'gzip' } }],
  ['the export, HEAD', 200, { method: 'HEAD', path: '/issues.csv' }],
];

const failing: readonly Row[] = [
  ['nothing here', 404, { path: '/nothing/here', fields: html }],
  ['nothing here, as JSON', 404, { path: '/nothing/here?x=1', fields: json }],
  ['nothing here, as text', 404, { path: '/nothing/here', fields: { Accept: 'text/css' } }],
  ['nothing here, HEAD', 404, { method: 'HEAD', path: '/nothing/here' }],
  ['two slashes', 404, { path: '//issues' }],
  ['OPTIONS of a path', 200, { method: 'OPTIONS', path: '/issues' }],
  ['OPTIONS of a route', 200, { method: 'OPTIONS', path: '/health' }],
  ['OPTIONS where a handler takes every method', 405, { method: 'OPTIONS', path: '/account/signup' }],
  ['OPTIONS of nothing', 404, { method: 'OPTIONS', path: '/nothing' }],
  ['a method that no handler has', 404, { method: 'PUT', path: '/issues/7', body: 'x' }],
  ['a method that is not allowed', 405, { method: 'DELETE', path: '/account/login', fields: json }],
  ['a method of its own kind', 404, { method: 'PROPFIND', path: '/issues' }],
  ['a handler that throws', 500, { path: '/diagnostics/throw', fields: html }],
  ['a handler that rejects', 500, { path: '/diagnostics/reject', fields: json }],
  ['the request after the failures', 200, { path: '/health' }],
];

const css = '/static/style.css';
const files: readonly Row[] = [
  ['a file', 200, { path: css }],
  ['a file, HEAD', 200, { method: 'HEAD', path: css }],
  ['a file in gzip', 200, { path: css, fields: { 'Accept-Encoding': 'gzip' } }],
  ['an image', 200, { path: '/static/logo.svg' }],
  ['a script', 200, { path: '/static/live.js?v=1' }],
  ['the first bytes', 206, { path: css, fields: { Range: 'bytes=0-99' } }],
  ['the last bytes', 206, { path: css, fields: { Range: 'bytes=-50' } }],
  ['from the middle on', 206, { path: css, fields: { Range: 'bytes=4000-' } }],
  ['several ranges', 200, { path: css, fields: { Range: 'bytes=0-9,20-29' } }],
  ['a range in a unit that is none', 200, { path: css, fields: { Range: 'lines=0-9' } }],
  ['a range beyond the end', 416, { path: css, fields: { Range: 'bytes=9999999-' } }],
  ['a range of another version', 200, { path: css, fields: { Range: 'bytes=0-9', 'If-Range': '"another"' } }],
  ['a precondition that fails', 412, { path: css, fields: { 'If-Match': '"another"' } }],
  ['unmodified since long ago', 412, { path: css, fields: { 'If-Unmodified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' } }],
  ['modified since', 304, { path: css, fields: { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' } }],
  ['the folder without its slash', 301, { path: '/static?a=b' }],
  ['the folder', 404, { path: '/static/' }],
  ['a file that is not there', 404, { path: '/static/none.css' }],
  ['a bad escape in a file name', 404, { path: '/static/%E0%A4%A' }],
  ['out of the folder', 404, { path: '/static/../app.js' }],
  ['out of the folder, escaped', 404, { path: '/static/%2e%2e%2fapp.js' }],
  ['a form posted to a file', 404, { method: 'POST', path: css, body: 'x' }],
];

/** The pages of a visitor who only reads. */
export async function visitPages(visitor: Visitor): Promise<void> {
  for (const [name, status, request] of [...reading, ...failing, ...files]) await visitor.ask(name, status, request);

  const page = await visitor.ask('an issue, to be asked for again', 200, { path: '/issues/7', fields: html });
  const tag = { 'If-None-Match': fieldValues(page, 'etag')[0] };
  await visitor.ask('an issue that has not changed', 304, { path: '/issues/7', fields: { ...html, ...tag } });
  await visitor.ask('HEAD of an issue that has not changed', 304, {
    method: 'HEAD',
    path: '/issues/7',
    fields: { ...html, ...tag },
  });

  const file = await visitor.ask('a file, to be asked for again', 200, { path: css });
  const etag = fieldValues(file, 'etag')[0];
  const since = fieldValues(file, 'last-modified')[0];
  await visitor.ask('a file that has the same tag', 304, { path: css, fields: { 'If-None-Match': etag } });
  await visitor.ask('a file that has the same time', 304, { path: css, fields: { 'If-Modified-Since': since } });
  await visitor.ask('a range of the same version', 206, {
    path: css,
    fields: { Range: 'bytes=10-19', 'If-Range': since },
  });
}
