'use strict';

/**
 * The page that every contestant serves at `/runner`: it sends the requests that its parent page asks for, and times them.
 * They have the contestant's own origin, so that they need no preflight request and no CORS.
 *
 * Messages to it, only from the parent: `{ type: 'request', key, method, path, body? }`.
 * Messages from it: `{ type: 'ready' }` once; `{ type: 'sample', key, status, ms, serverMs, body }` with milliseconds from the call of
 * `fetch` until the whole answer is read, or `{ type: 'failed', key, message }`.
 */
module.exports = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Runner</title>
<script>
'use strict';

addEventListener('message', async ({ source, origin, data }) => {
  if (source !== parent || source === window || data === null || typeof data !== 'object' || data.type !== 'request') return;
  const { key } = data;
  try {
    parent.postMessage({ type: 'sample', key, ...(await sample(data)) }, origin);
  } catch (error) {
    parent.postMessage({ type: 'failed', key, message: error.message }, origin);
  }
});

async function sample({ method, path, body }) {
  if (!/^\\/(?!\\/)/.test(path)) throw new Error('the path has to begin with one slash');
  const sent = body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  // Without a cache there is no If-None-Match, so every answer is complete.
  const options = { method, cache: 'no-store', ...sent };
  const started = performance.now();
  const response = await fetch(path, options);
  const text = await response.text();
  const ms = performance.now() - started;
  return { status: response.status, ms, serverMs: inside(response), body: text === '' ? null : JSON.parse(text) };
}

function inside({ headers }) {
  const found = /(?:^|,)\\s*app;dur=([\\d.]+)/.exec(headers.get('Server-Timing') ?? '');
  return found === null ? null : Number(found[1]);
}

if (parent !== window) parent.postMessage({ type: 'ready' }, '*');
</script>
`;
