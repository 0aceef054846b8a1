/** Exit statuses of the command `nonstop`. They are part of its interface and never change their meaning. */
export const enum Exit {
  /** Everything was drained. */
  Done = 0,
  /** The application has no server. Without workers also: it threw an error that nothing caught. */
  Application = 1,
  /** The command line or an option is wrong, or the file or a package that an option needs is missing. */
  Usage = 2,
  /** Cannot listen on an address: in use, no permission, or not an address of this machine. */
  Listen = 3,
  /** The application did not become ready. With workers also: three of them died, for any reason, before one was ready. */
  NotReady = 4,
  /** Drained, but requests were cut off after the grace period, or a hook failed. */
  Cut = 5,
}

/** The catalogue of errors, each with the exit status of the command. */
const STATUS = {
  ERR_NONSTOP_OPTION: Exit.Usage,
  ERR_NONSTOP_FILE: Exit.Usage,
  ERR_NONSTOP_PEER: Exit.Usage,
  ERR_NONSTOP_NO_SERVER: Exit.Application,
  ERR_NONSTOP_DRAINED: Exit.Application,
  ERR_NONSTOP_LISTEN: Exit.Listen,
  ERR_NONSTOP_NOT_READY: Exit.NotReady,
  ERR_NONSTOP_WORKER: Exit.NotReady,
} as const;

export type ProductionErrorCode = keyof typeof STATUS;

/** An error that prevents the start of an application. Its message is one line for the operator. */
export class ProductionError extends Error {
  readonly code: ProductionErrorCode;
  /** The exit status of the command. */
  readonly exitStatus: number;

  constructor(code: ProductionErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.exitStatus = STATUS[code];
    this.name = 'ProductionError';
  }
}

/** @param readyTimeout milliseconds @param waitsFor what is missing */
export function notReady(readyTimeout: number, waitsFor: string): ProductionError {
  const seconds = readyTimeout / 1000;
  return new ProductionError('ERR_NONSTOP_NOT_READY', `the application was not ready within ${seconds} s: ${waitsFor}`);
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another process',
  EACCES: 'cannot be used: this user has no permission',
  EPERM: 'cannot be used: this user has no permission',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'is a host name that is not known',
};

interface ListenFault {
  readonly code?: string;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
  readonly message: string;
}

/** An error of `server.listen()` as one line with what to change. */
export function listenError(fault: ListenFault, wanted: { host?: string; port?: number } = {}): ProductionError {
  const host = fault.address ?? fault.hostname ?? wanted.host;
  const port = fault.port ?? wanted.port;
  // The error of an unknown host name has no port; the port of a path is -1.
  const hasPort = port !== undefined && port >= 0 && fault.code !== 'ENOTFOUND';
  const where = [host, hasPort ? `port ${port}` : undefined].filter(Boolean).join(' ');
  const why = LISTEN_FAULTS[fault.code ?? ''];
  const text = why === undefined ? `cannot listen: ${fault.message}` : `${where} ${why} (${fault.code})`;
  return new ProductionError('ERR_NONSTOP_LISTEN', text, fault);
}
