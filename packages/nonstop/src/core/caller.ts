import path = require('node:path');
import { fileURLToPath } from 'node:url';

/** More frames than Nonstop ever has between an application's call and the function that asks. */
const DEPTH = 50;

/** Where a program called Nonstop. */
export interface Caller {
  /** `file:line:column` */
  readonly place: string;
  /** Whether that place called the asking function directly, and not through Nonstop. */
  readonly isDirect: boolean;
}

/**
 * The nearest place outside Nonstop and node that led to `asking`. A call costs microseconds: use it in rare cases only.
 *
 * @param asking a function that is on the stack now: frames that it called are ignored
 * @returns undefined if only files of Nonstop and of node are on the stack
 */
export function callerOf(asking: (...args: never[]) => unknown): Caller | undefined {
  const frames = framesAbove(asking);
  const own = home();
  const at = frames.findIndex((frame) => path.isAbsolute(fileOf(frame)) && !fileOf(frame).startsWith(own));
  if (at === -1) return undefined;
  const frame = frames[at];
  return { place: `${fileOf(frame)}:${frame.getLineNumber()}:${frame.getColumnNumber()}`, isDirect: at === 0 };
}

const framesOf = (_error: Error, frames: NodeJS.CallSite[]): NodeJS.CallSite[] => frames;

function framesAbove(asking: (...args: never[]) => unknown): readonly NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = DEPTH;
    Error.prepareStackTrace = framesOf;
    const holder: { readonly stack?: readonly NodeJS.CallSite[] } = {};
    Error.captureStackTrace(holder, asking);
    return holder.stack ?? [];
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function fileOf(frame: NodeJS.CallSite): string {
  const name = frame.getFileName() ?? '';
  return name.startsWith('file:') ? fileURLToPath(name) : name;
}

let homeOfNonstop: string | undefined;

/** The start of the path of all files of Nonstop: their folder, or the one file that a bundler made. */
function home(): string {
  if (homeOfNonstop === undefined) {
    const file = fileOf(framesAbove(framesAbove)[0]);
    const folder = path.dirname(file);
    if (path.basename(file) === 'nonstop.js') homeOfNonstop = folder + path.sep;
    else homeOfNonstop = path.basename(folder) === 'core' ? path.dirname(folder) + path.sep : file;
  }
  return homeOfNonstop;
}
