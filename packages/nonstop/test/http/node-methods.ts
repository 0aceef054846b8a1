import { PROBE, type Play, type Scene, type Stage } from '../support/plays.js';
import { shape } from '../support/shape.js';
import { requestOf, type State } from './message-states.js';
import type { Act } from './node-methods-table.js';

/** Whether listeners are added before the message reaches its state, and properties are read right after the act. */
export type Company = 'watched' | 'left alone';

const READ = {
  res: [
    'statusCode',
    'statusMessage',
    'headersSent',
    'finished',
    'writableEnded',
    'writableFinished',
    'writable',
  ].concat(
    [
      'destroyed',
      'closed',
      'errored',
      'writableLength',
      'writableHighWaterMark',
      'writableCorked',
      'writableNeedDrain',
    ],
    ['writableObjectMode', 'shouldKeepAlive', 'sendDate', 'chunkedEncoding', 'useChunkedEncodingByDefault'],
    ['strictContentLength', 'req', 'socket', 'connection', 'maxRequestsOnConnectionReached', 'outputSize'],
  ),
  req: [
    'method',
    'url',
    'complete',
    'aborted',
    'readable',
    'readableEnded',
    'readableFlowing',
    'readableLength',
  ].concat(
    ['readableDidRead', 'readableAborted', 'readableEncoding', 'destroyed', 'closed', 'errored', 'httpVersion'],
    ['headers', 'rawHeaders', 'trailers', 'rawTrailers', 'socket', 'connection', 'upgrade', 'statusCode'],
  ),
} as const;
const EVENTS = {
  res: ['prefinish', 'finish', 'close', 'drain', 'error', 'timeout', 'pipe', 'unpipe'],
  req: ['end', 'close', 'aborted', 'error', 'timeout', 'pause', 'resume'],
} as const;

/** @returns a play of one row: brings a message to a state, does one act, and notes the result */
export function rowPlay(state: State, act: Act, company: Company): Play {
  let released: () => void = () => {};
  const held = new Promise<void>((resolve) => (released = resolve));
  const row = state.waits === true ? 1 : 0;
  return {
    steps: [{ send: requestOf(state), await: 'nothing' }, 'settle'],
    handler: async (scene) => {
      const { res, index, stage } = scene;
      if (index < row) await held;
      if (index !== row) {
        res.end(`answer ${index}`);
        return;
      }
      const done = stage.hold();
      await underAct(scene, { state, act, company });
      released();
      await stage.settled(1);
      note(scene, 'in the end');
      stage.send(PROBE);
      done();
    },
  };
}

async function underAct(
  scene: Scene,
  { state, act, company }: { state: State; act: Act; company: Company },
): Promise<void> {
  const { req, res, stage } = scene;
  if (company === 'watched') for (const kind of ['req', 'res'] as const) watch(scene, kind, EVENTS[kind]);
  const reached = state.reach(scene);
  // Awaited only if it takes time: a promise would skip the turn in which the act must happen.
  if (reached !== undefined) await reached;
  stage.call('act', act.name, () => act.run(scene));
  if (company === 'watched') note(scene, 'right after');
  else for (const kind of ['req', 'res'] as const) watch(scene, kind, ['error']);
  await stage.settled(1);
  note(scene, 'later');
  if (state.rest !== undefined) stage.send(state.rest);
  await stage.settled(1);
  try {
    if (!res.writableEnded) res.end('tail');
  } catch (error) {
    stage.note('tail', shape(error, stage.names));
  }
  req.resume();
}

function watch({ stage, ...messages }: Scene, kind: 'req' | 'res', events: readonly string[]): void {
  for (const event of events)
    messages[kind].on(event, (...seen: unknown[]) => stage.note(kind, `${event} ${shape(seen, stage.names)}`));
}

function note(scene: Scene, when: string): void {
  for (const kind of ['res', 'req'] as const)
    for (const name of READ[kind])
      scene.stage.note(`${kind} ${when}`, `${name}: ${read(scene[kind], name, scene.stage)}`);
  scene.stage.note(`res ${when}`, `fields: ${tried(() => scene.res.getHeaders(), scene.stage)}`);
}

const read = (message: object, name: string, stage: Stage): string =>
  tried(() => (message as Record<string, unknown>)[name], stage);

function tried(act: () => unknown, { names }: Stage): string {
  try {
    return shape(act(), names);
  } catch (error) {
    return `threw ${shape(error, names)}`;
  }
}
