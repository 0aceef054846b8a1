/**
 * Differences between supported Node versions that a program or client can see. The engine behaves like the running
 * version. Each difference has a name here, and versions are checked nowhere else.
 */
const [nodeMajor, nodeMinor] = process.versions.node.split('.', 2).map(Number);

/** Whether this is Bun or Deno: their `http.Server` is their own and has none of node's insides. */
export const IS_OTHER_RUNTIME = 'bun' in process.versions || 'deno' in process.versions;

/** Whether this Node is older than 20.19, the oldest that Nonstop is tested on (`engines` in package.json). */
export const NODE_IS_TOO_OLD = nodeMajor < 20 || (nodeMajor === 20 && nodeMinor < 19);

/** Whether the parser accepts HTAB, besides SP, after a Content-Length and after an option of Connection. */
export const VALUES_MAY_END_IN_HTAB = nodeMajor >= 22;

/** Whether a head with more lines than `maxHeadersCount` is refused with 431. Older versions drop the other lines. */
export const FIELD_LINES_ARE_LIMITED = nodeMajor >= 22;

/** Whether closing a connection destroys its waiting responses, so that they emit `'close'`. */
export const WAITING_RESPONSES_ARE_DESTROYED = nodeMajor >= 24;

/** Whether async contexts use `AsyncContextFrame`; in older versions a context belongs to the calling resource. */
export const CONTEXTS_ARE_FRAMES = nodeMajor >= 24;

/** Whether `'upgrade'` and `'connect'` have the async context of the connection; before, node gave that back with the parser. */
export const UPGRADES_HAVE_CONTEXT = nodeMajor >= 24;

/** Whether a connection on which nothing has arrived counts as idle for `closeIdleConnections()`. */
export const SILENT_CONNECTIONS_ARE_IDLE = nodeMajor >= 26;

/** Whether `'drain'` waits until nothing of the response is left in any buffer. */
export const DRAIN_MEANS_EMPTY = nodeMajor >= 24;

/** Whether the body of an upgrade request is parsed as a body. In older versions it is part of the upgraded stream. */
export const UPGRADES_HAVE_BODIES = nodeMajor >= 25;

/**
 * Whether `fs.readFile()` opens, reads and closes a small file in one request to the thread pool. Older versions use one
 * request for each step.
 */
export const READ_FILE_IS_ONE_REQUEST = nodeMajor >= 26;

/** Whether V8 makes a new hidden class for each copy of an object (before V8 12). It only affects the cost of copies. */
export const COPIES_HAVE_OWN_CLASSES = nodeMajor < 22;

/** Whether all writes of a response within a tick become one chunk. In older versions each write is a chunk. */
export const TICKS_ARE_CHUNKS = nodeMajor >= 26;

/** Whether the parser knows the method QUERY; late releases of Node 20 do. */
export const KNOWS_QUERY = Number(process.versions['llhttp']?.split('.', 1)[0] ?? 9) >= 9;

/** Whether the stream of a request without a body has ended when its response closes. */
export const EMPTY_REQUESTS_END_AT_ONCE = nodeMajor >= 26;

/**
 * Whether a session of HTTP/2 that sent GOAWAY because of an error of its client stays open, with its streams, and stops reading. Neither the
 * session nor its streams notice then that the client is gone.
 */
export const SESSIONS_OUTLIVE_THEIR_END = nodeMajor < 22;
