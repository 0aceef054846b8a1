import path = require('node:path');
import { fileURLToPath } from 'node:url';

/** More frames than Nonstop has between a program and what the program called. */
const DEPTH = 50;

/** Where a program called Nonstop. */
export interface Caller {
  /** `file:line:column` */
  readonly place: string;
  /** Whether the function that asks was called from there, and not by Nonstop. */
  readonly isDirect: boolean;
}

/**
 * The nearest place outside of Nonstop and of node that led to `asking`. It costs microseconds: it is for what is seldom.
 *
 * @param asking a function that is being called: what lies below it is not looked at
 * @returns undefined where only files of Nonstop and of node are on the stack
 */
export function callerOf(asking: (...args: never[]) => unknown): Caller | undefined {
  const frames = framesAbove(asking);
  const own = home();
  const at = frames.findIndex((frame) => path.isAbsolute(fileOf(frame)) && !fileOf(frame).startsWith(own));
  if (at === -1) return undefined;
  const frame = frames[at];
  return { place: `${fileOf(frame)}:${frame.getLineNumber()}:${frame.getColumnNumber()}`, isDirect: at === 0 };
}

function framesAbove(asking: (...args: never[]) => unknown): readonly NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = DEPTH;
    Error.prepareStackTrace = (_error, frames) => frames;
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

/** What the files of Nonstop begin with: their folder, or the one file that a bundler has made of them and of others. */
function home(): string {
  if (homeOfNonstop === undefined) {
    const file = fileOf(framesAbove(framesAbove)[0]);
    const folder = path.dirname(file);
    if (path.basename(file) === 'nonstop.js') homeOfNonstop = folder + path.sep;
    else homeOfNonstop = path.basename(folder) === 'core' ? path.dirname(folder) + path.sep : file;
  }
  return homeOfNonstop;
}
