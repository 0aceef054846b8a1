import Module = require('node:module');
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** The longest wait in milliseconds, for a loader that does not tell when it loads the program. */
const LATEST = 1000;

/** The listener of 'exit' that Node 20 has while its loader of ES modules runs the program. */
const LISTENER = 'handleProcessExit';

type Load = (url: string, context: object, next: (url: string, context: object) => object) => object;
/** The function by which node loads a program, and hooks that are missing in the types of Node 20. */
interface Running {
  runMain?(): void;
  registerHooks?: (hooks: { load: Load }) => { deregister(): void };
}

const nodesModule: object = Module;
const running = nodesModule as Running;

/**
 * Runs the file of `process.argv[1]` as the program of this process: it is `require.main`, and has a true `import.meta.main`. Does nothing if this
 * Node has no such function: the file is not in `require.cache` then.
 *
 * @returns resolves when node loads the file. With `--import` that is after the files of these flags. A file that is imported before that is not
 *   the program any more
 */
export async function runMainModule(): Promise<void> {
  const main = pathToFileURL(process.argv[1]).href;
  let tell = (): void => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  const load: Load = (url, context, next) => {
    if (url === main) {
      tell();
      // Node 22 and 24 keep the text of each JSON and CommonJS module that is loaded while there is such a hook.
      hooks?.deregister();
    }
    return next(url, context);
  };
  const hooks = running.registerHooks?.({ load });
  const ended = (): void => {
    if (!isLoading()) tell();
  };
  try {
    running.runMain?.();
    if (hooks === undefined) {
      if (!isLoading()) return;
      process.on('removeListener', ended);
    }
    await Promise.race([told, sleep(LATEST, undefined, { ref: false })]);
  } finally {
    process.off('removeListener', ended);
    hooks?.deregister();
  }
}

function isLoading(): boolean {
  return process.listeners('exit').some(({ name }) => name === LISTENER);
}
