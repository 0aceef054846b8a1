import { fieldValues } from '../support/raw-answer.js';
import { form, multipart, type Part, type Visitor } from './visitor.js';

const LARGE = 6 * 1024 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;

/** Every byte value, so that no step can treat the file as text. */
const binary = Buffer.from(Array.from({ length: 2048 }, (_, n) => n % 256));

const file = (filename: string, content: string | Buffer): Part => ({ name: 'attachments', filename, content });

/** Writes: issues, comments, states, attachments, and invalid forms. */
export async function visitIssues(visitor: Visitor): Promise<void> {
  const text: Part[] = [
    { name: 'title', content: 'Printing <b>fails</b> & "quotes"' },
    { name: 'body', content: 'First line\r\n<script>alert(1)</script>' },
    { name: 'labels', content: 'docs' },
    { name: 'labels', content: 'bug' },
  ];
  const files = [
    file('notes.txt', 'hello\n'),
    file('../../r\u00E9sum\u00E9 %221%22.bin', binary),
    file('empty.txt', ''),
  ];
  await visitor.ask('a new issue with files', 303, { path: '/issues', ...multipart([...text, ...files]) });
  await visitor.ask('the new issue', 200, { path: '/issues/51' });
  await visitor.ask('the new issue, its notice gone', 200, {
    path: '/issues/51',
    fields: { 'Accept-Encoding': 'gzip' },
  });
  await visitor.ask('a new issue without files', 303, {
    path: '/issues',
    ...form({ title: '=1+1, "plain"', body: '' }),
  });
  await visitor.ask('a new issue that is incomplete', 422, {
    path: '/issues',
    ...multipart([{ name: 'title', content: 'x' }, file('lost.txt', 'lost')]),
  });
  await visitor.ask('a comment', 303, {
    path: '/issues/51/comments',
    ...form({ body: 'I can confirm: <i>this</i>\r\n– \u00FC \u{1F600}' }),
  });
  await visitor.ask('an empty comment', 422, { path: '/issues/51/comments', ...form({ body: '  ' }) });
  await visitor.ask('closing', 303, { path: '/issues/51/state', ...form({ state: 'closed' }) });
  await visitor.ask('a state that does not exist', 422, { path: '/issues/51/state', ...form({ state: 'lost' }) });
  await visitor.ask('commenting on nothing', 404, { path: '/issues/999/comments', ...form({ body: 'hello' }) });
  await visitor.ask('the issue after all that', 200, { path: '/issues/51', fields: { Accept: 'application/json' } });
  await visitor.ask('the export, with a formula that must not run', 200, { path: '/issues.csv' });
  await visitBadUploads(visitor);
  await visitDownloads(visitor);
  if (visitor.sendsOctets) await visitInterrupted(visitor);
}

async function visitBadUploads(visitor: Visitor): Promise<void> {
  const path = '/issues/51/attachments';
  const good = multipart([file('a.txt', 'a')]);
  const typed = (type: string) => ({ ...good, path, fields: { ...good.fields, 'Content-Type': type } });
  await visitor.ask('an upload of nothing', 422, { path, ...multipart([]) });
  await visitor.ask('an upload without a boundary', 400, typed('multipart/form-data'));
  await visitor.ask('an upload with another boundary', 400, typed('multipart/form-data; boundary=other'));
  await visitor.ask('an upload that is no form', 422, typed('application/octet-stream'));
  await visitor.ask('an upload without its end', 400, { path, ...multipart([file('a.txt', 'a')], false) });
  await visitor.ask('an upload in an unknown field', 400, {
    path,
    ...multipart([{ ...file('a.txt', 'a'), name: 'else' }]),
  });
  await visitor.ask('too many files', 413, { path, ...multipart([1, 2, 3, 4, 5].map((n) => file(`${n}.txt`, 'x'))) });
  await visitor.ask('a file that is too large', 413, {
    path,
    ...multipart([file('big.bin', Buffer.alloc(MOST_BYTES + 1, 'x'))]),
  });
  await visitor.ask('the request after the large file', 200, { path: '/health' });
}

async function visitDownloads(visitor: Visitor): Promise<void> {
  const path = '/issues/51/attachments/2';
  const whole = await visitor.ask('a download', 200, { path });
  const etag = fieldValues(whole, 'etag')[0];
  await visitor.ask('a download, HEAD', 200, { method: 'HEAD', path });
  await visitor.ask('a download that has not changed', 304, { path, fields: { 'If-None-Match': etag } });
  await visitor.ask('a part of a download', 206, { path, fields: { Range: 'bytes=250-265' } });
  await visitor.ask('a part of the same version', 206, {
    path,
    fields: { Range: 'bytes=0-0', 'If-Range': fieldValues(whole, 'last-modified')[0] },
  });
  await visitor.ask('a part beyond the end', 416, { path, fields: { Range: 'bytes=4096-' } });
  await visitor.ask('a text download in gzip', 200, {
    path: '/issues/51/attachments/1',
    fields: { 'Accept-Encoding': 'gzip' },
  });
  await visitor.ask('an empty download', 200, { path: '/issues/51/attachments/3' });
  await visitor.ask('a download that does not exist', 404, { path: '/issues/51/attachments/9' });
}

/** Connections that end in the middle of a message; the next request must not be affected. */
async function visitInterrupted(visitor: Visitor): Promise<void> {
  const path = '/issues/51/attachments';
  await visitor.ask('a large upload', 303, { path, ...multipart([file('large.bin', Buffer.alloc(LARGE, 'large '))]) });
  const number = 4;

  const download = await visitor.open();
  await download.send(visitor.bytesOf({ path: `${path}/${number}` }));
  await download.untilReceived('large large');
  download.drop(true);
  await visitor.tracker.untilLogged(`GET ${path}/${number} 200`);
  await visitor.ask('the request after a download that was stopped', 200, { path: '/health' });

  const upload = await visitor.open();
  const bytes = visitor.bytesOf({
    path: `${path}?stopped`,
    ...multipart([file('half.bin', Buffer.alloc(300_000, 'half '))]),
  });
  const stored = visitor.tracker.stored.length;
  await upload.send(bytes.subarray(0, 200_000));
  await visitor.tracker.untilStored(stored + 1);
  upload.drop(true);
  await visitor.tracker.untilStored(stored);
  await visitor.tracker.untilLogged(`POST ${path}?stopped`);
  await visitor.ask('the request after an upload that was stopped', 200, { path: '/issues/51' });

  const waiting = await visitor.open();
  const { body, ...request } = multipart([file('expected.txt', 'expected')]);
  const announced = visitor.bytesOf({ ...request, path, body, fields: { ...request.fields, Expect: '100-continue' } });
  const head = announced.subarray(0, announced.length - body.length);
  await waiting.send(head);
  await waiting.untilReceived('HTTP/1.1 100 Continue\r\n\r\n');
  await waiting.send(body);
  visitor.recordAnswer('an upload that waits for its permission', await waiting.answer());
  waiting.drop();
}
