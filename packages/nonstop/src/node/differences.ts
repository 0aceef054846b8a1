/**
 * Where the supported versions of Node differ in what a program or a client can see. The engine does what the running one
 * does; each difference has a name here and is looked at nowhere else.
 */
const [nodeMajor, nodeMinor] = process.versions.node.split('.', 2).map(Number);

/** Whether this Node is older than 20.19, the oldest that Nonstop is tested on (`engines` in package.json). */
export const NODE_IS_TOO_OLD = nodeMajor < 20 || (nodeMajor === 20 && nodeMinor < 19);

/** Whether the parser takes HTAB, and not only SP, behind a Content-Length and behind an option of Connection. */
export const VALUES_MAY_END_IN_HTAB = nodeMajor >= 22;

/** Whether a head with more lines than `maxHeadersCount` is refused with 431; before, `headers` leaves out the rest. */
export const FIELD_LINES_ARE_LIMITED = nodeMajor >= 22;

/** Whether a connection that closes destroys the responses whose turn had not come, so that they emit `'close'`. */
export const WAITING_RESPONSES_ARE_DESTROYED = nodeMajor >= 24;

/** Whether an async context belongs to the running code (`AsyncContextFrame`) and not to the resource that called it. */
export const CONTEXTS_ARE_FRAMES = nodeMajor >= 24;

/** Whether a connection on which nothing has arrived counts as idle for `closeIdleConnections()`. */
export const SILENT_CONNECTIONS_ARE_IDLE = nodeMajor >= 26;

/** Whether `'drain'` waits until nothing of the response is left in any buffer. */
export const DRAIN_MEANS_EMPTY = nodeMajor >= 26;

/** Whether the body of an upgrade request is read as a body; before, it is the first that arrives behind the head. */
export const UPGRADES_HAVE_BODIES = nodeMajor >= 25;

/**
 * Whether `fs.readFile()` opens, reads and closes a small file with one request to the thread pool; before, each of the steps
 * is a request of its own.
 */
export const READ_FILE_IS_ONE_REQUEST = nodeMajor >= 26;

/** Whether V8 makes a hidden class for each copy of an object (before V8 12): seen in nothing but what copies cost. */
export const COPIES_HAVE_OWN_CLASSES = nodeMajor < 22;

/** Whether what a response writes within a tick is one chunk of the chunked coding, and not one each. */
export const TICKS_ARE_CHUNKS = nodeMajor >= 26;

/** Whether the parser knows the method QUERY: Node 20 got that llhttp with one of its last releases. */
export const KNOWS_QUERY = Number(process.versions['llhttp']?.split('.', 1)[0] ?? 9) >= 9;

/** Whether the stream of an answered request without a body has ended by the time its response is closed. */
export const EMPTY_REQUESTS_END_AT_ONCE = nodeMajor >= 26;
