import { inspect } from 'node:util';

/**
 * A reporter for node:test that writes one JSON line for each finished test, for `run-test-files.mjs` to read. Suites are
 * left out, except skipped ones, whose tests are not reported. A test that failed only because of a nested test is left
 * out too, so that each failure counts once.
 * @param {AsyncIterable<{ type: string, data: any }>} events
 */
export default async function* reportTests(events) {
  const above = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') above[data.nesting] = data.name;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { details, nesting, skip, todo } = data;
    const error = details?.error;
    if (details?.type === 'suite' && skip === undefined && !ownFailure(error)) continue;
    if (error?.failureType === 'subtestsFailed') continue;
    yield `${JSON.stringify({
      name: [...above.slice(0, nesting), data.name].join(' > '),
      outcome: type === 'test:fail' ? 'failed' : skip === undefined && todo === undefined ? 'passed' : 'skipped',
      reason: skip ?? todo,
      error: error && inspect(error.cause ?? error, { depth: 6, maxArrayLength: 200, maxStringLength: 4000 }),
    })}\n`;
  }
}

/**
 * A suite fails by itself when its body or one of its hooks throws.
 * @param {{ failureType?: string } | undefined} error
 */
const ownFailure = (error) => error !== undefined && error.failureType !== 'subtestsFailed';
