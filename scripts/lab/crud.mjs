import { list, whole } from '../lib/command-line.mjs';
import { attended, labModule } from '../lib/head-to-head.mjs';
import { nodeBinary, runningNode } from '../lib/nodes.mjs';

export const usage = `npm run lab -- crud [options]     the page of the study crud, for a browser, until Ctrl-C
  --port 3000             (default: a free one)
  --contestants 'Express 5,Nonstop'   (default: all)
  --node 24               for the servers (default: the running one)`;

export const options = /** @type {const} */ ({
  port: { type: 'string' },
  contestants: { type: 'string' },
  node: { type: 'string', default: runningNode.major },
});

/**
 * @param {{ port?: string, contestants?: string, node: string }} values
 * @returns {() => Promise<number>} serves the page until it is interrupted
 */
export function prepare(values) {
  const port = whole('port', values.port);
  if (port !== undefined && port > 65_535)
    throw new Error(`--port needs a number from 1 to 65535, got '${values.port}'`);
  const contestants = list('contestants', values.contestants);
  return async () => {
    const node = await nodeBinary(values.node, console.log);
    const { serveCrud } = labModule('crud/serve.js');
    await attended(async ({ signal, progress, print }) => {
      const say = (/** @type {string} */ step) => progress('crud', step);
      const served = await serveCrud({ port, contestants, node, signal, progress: say });
      print(`The study crud is at ${served.url}\nCtrl-C ends it.`);
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true });
        if (signal.aborted) resolve(undefined);
      });
      await served.close();
    });
    return 0;
  };
}
