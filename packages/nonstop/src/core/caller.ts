import path = require('node:path');
import { fileURLToPath } from 'node:url';

/** The folder that holds Nonstop: of the joined files, or of the sources, of which this is one. */
const HOME = (path.basename(__dirname) === 'core' ? path.dirname(__dirname) : __dirname) + path.sep;

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
  const at = frames.findIndex((frame) => isForeign(fileOf(frame)));
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

function isForeign(file: string): boolean {
  return path.isAbsolute(file) && !file.startsWith(HOME);
}
