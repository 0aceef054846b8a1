import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

/*
 * Differences between supported releases of node that a program or client can see. The engine behaves like the running one. Each difference has a
 * name here, and versions are compared nowhere else. Releases of one major differ: each minor here was found by playing tests on releases
 * around it. Where running node's code shows its behaviour, no version is compared: see below, and `nodes-parser`.
 */
const [nodeMajor, nodeMinor] = process.versions.node.split('.', 2).map(Number);

/** Whether this Node is one of `releases` or later within its major, or of a later major than all of them. */
function isSince(...releases: readonly (readonly [major: number, minor: number])[]): boolean {
  const same = releases.find(([major]) => major === nodeMajor);
  return same === undefined ? nodeMajor > Math.max(...releases.map(([major]) => major)) : nodeMinor >= same[1];
}

/** Whether this is Bun or Deno: their `http.Server` is their own and has none of node's insides. */
export const IS_OTHER_RUNTIME = 'bun' in process.versions || 'deno' in process.versions;

/** Whether llhttp, node's parser, is this version or a later one. Distributions may build node with another one than its release has. */
function hasParser(major: number, minor: number, patch: number): boolean {
  const [m, n, p] = (process.versions['llhttp'] ?? '9.0.0').split('.').map(Number);
  return m > major || (m === major && (n > minor || (n === minor && p >= patch)));
}

/**
 * Whether this Node is older than 20.19.2, the oldest that Nonstop is tested on. The parsers of 20.19.0 and 20.19.1 are of another major: they
 * refuse other requests, with other errors.
 */
export const NODE_IS_TOO_OLD = nodeMajor < 20 || (nodeMajor === 20 && (nodeMinor < 19 || !hasParser(9, 0, 0)));

/** Whether the parser accepts HTAB, besides SP, after a Content-Length. */
export const LENGTHS_MAY_END_IN_HTAB = hasParser(9, 4, 1);

/** Whether the parser knows an option of Connection with HTAB after it. */
export const OPTIONS_MAY_END_IN_HTAB = hasParser(9, 4, 2);

/** Whether closing a connection destroys its waiting responses, so that they emit `'close'`. */
export const WAITING_RESPONSES_ARE_DESTROYED = isSince([24, 16], [26, 1]);

/**
 * Whether async contexts use `AsyncContextFrame`; otherwise a context belongs to the calling resource. It is the default on Node 24 and later, and
 * a flag of the process changes it. With frames, listeners for `'upgrade'` and `'connect'` run in the context of the connection. Without, they do
 * not: that context belongs to the parser, which node has given back by then.
 */
export const CONTEXTS_ARE_FRAMES = contextsAreFrames();

/** Whether a connection on which nothing has arrived counts as idle for `closeIdleConnections()`. */
export const SILENT_CONNECTIONS_ARE_IDLE = isSince([26, 4]);

/** Whether `'drain'` waits until nothing of the response is left in any buffer. */
export const DRAIN_MEANS_EMPTY = isSince([24, 16], [26, 1]);

/** Whether the body of an upgrade request is parsed as a body. In older versions it is part of the upgraded stream. */
export const UPGRADES_HAVE_BODIES = nodeMajor >= 25;

/**
 * Whether `fs.readFile()` opens, reads and closes a small file in one request to the thread pool. Older versions use one
 * request for each step.
 */
export const READ_FILE_IS_ONE_REQUEST = isSince([26, 8]);

/** Whether a pipe catches what `write()` throws, and destroys the target with it. */
export const PIPES_CATCH = nodeMajor >= 24;

/** Whether V8 makes a new hidden class for each copy of an object (before V8 12). It only affects the cost of copies. */
export const COPIES_HAVE_OWN_CLASSES = nodeMajor < 22;

/**
 * Whether V8 makes a new hidden class for each member that an object gets after its prototype was changed. It only affects the cost: V8 then
 * looks up each member of that object anew.
 */
export const LATE_MEMBERS_MAKE_CLASSES = nodeMajor < 24;

/** Whether all writes of a response within a tick become one chunk. In older versions each write is a chunk. */
export const TICKS_ARE_CHUNKS = isSince([24, 22], [26, 9]);

/** Whether the stream of a request without a body has ended when its response closes. */
export const EMPTY_REQUESTS_END_AT_ONCE = isSince([24, 22], [26, 9]);

/**
 * Whether node's server makes `headers` of each request of HTTP/1.1 before a handler runs, to look for Host. Since 26.12 it looks through `rawHeaders`,
 * so `headers` is made of what a program has put there. 26.11 is not on npm and was not tried.
 */
export const SERVER_READS_HEADERS = !isSince([26, 11]);

/** Whether the listeners of a response have places in a fixed order for the most common events. */
export const RESPONSES_PRESET_EVENTS = isSince([26, 11]);

/** Whether the `max` of Keep-Alive is a whole number, whatever `maxRequestsPerSocket` is. */
export const MOST_REQUESTS_ARE_WHOLE = isSince([26, 11]);

/**
 * Whether an assertion ends the process if a session of HTTP/2 is destroyed because of an error of its client, and a stream with a body begins in the same
 * read: nghttp2 goes on with the read, and the stream has no listeners. Seen with 22.23.3, not with 20.20.2, 24.21.0 and 26.12.1.
 */
export const DESTROYED_SESSIONS_ABORT = nodeMajor === 22;

function contextsAreFrames(): boolean {
  const store = new AsyncLocalStorage<true>();
  const resource = new AsyncResource('nonstop.question');
  // Without frames the resource keeps what is entered in its scope.
  resource.runInAsyncScope(() => store.enterWith(true));
  const isKept = resource.runInAsyncScope(() => store.getStore()) === true;
  // Before Node 24 an enabled store costs a hook on each resource.
  store.disable();
  return !isKept;
}
