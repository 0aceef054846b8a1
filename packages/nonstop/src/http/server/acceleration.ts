import { debugLog, debugging } from '../../core/debug-log.js';
import { IS_OTHER_RUNTIME, NODE_IS_TOO_OLD } from '../../node/differences.js';

const log = debugLog('nonstop');

/** The reasons why the engine does not serve a server: keys for programs, texts for people. */
const REASONS = {
  'not-asked': 'it has not been handed to the engine so far',
  'not-a-server': 'it is no http.Server and no https.Server',
  'switched-off': 'NONSTOP_ENGINE or the setting `http engine` says node',
  'message-classes': 'it has its own IncomingMessage or ServerResponse class',
  'lenient-parser': 'it has a lenient parser (insecureHTTPParser, httpValidation)',
  'listener-replaced': "another listener is in the place of node's for its connections",
  'other-runtime': 'Bun and Deno have HTTP servers of their own, which serve it',
  'old-node': 'Nonstop supports Node 20.19.2 and newer',
  'unknown-node':
    'this version of Node has insides that Nonstop does not know, or the program has frozen its prototypes',
  'older-copy': 'a copy of Nonstop that was loaded before lacks what this one needs, and one engine serves a process',
} as const;

// npm only warns of `engines`, and only at installation; the process warns too.
if (NODE_IS_TOO_OLD && !IS_OTHER_RUNTIME)
  process.emitWarning(
    `Nonstop supports Node 20.19.2 and newer; this is ${process.version}. node:http serves every server of this process.`,
    { code: 'NONSTOP_OLD_NODE' },
  );

export type LeftReason = keyof typeof REASONS;

/** Whether the engine serves a server's connections. */
export interface Acceleration {
  /** Whether the engine serves them. */
  readonly accelerated: boolean;
  /** The reason why not; undefined if it does. */
  readonly reason: LeftReason | undefined;
}

let told = 0;

/** Prints one line for each decision about a server, under `DEBUG=nonstop`. */
export function tellDecision(server: object, reason: LeftReason | undefined): void {
  if (!debugging) return;
  const kind = 'setSecureContext' in server ? 'https.Server' : 'http.Server';
  told++;
  if (reason === undefined) log('%s %d: taken over, the engine serves its connections', kind, told);
  else log('%s %d: left to node, %s (%s)', kind, told, REASONS[reason], reason);
}
