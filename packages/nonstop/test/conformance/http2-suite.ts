import path = require('node:path');
import { report, type Report } from './mocha-suite.js';
import { tallied } from './tally.js';
import type { Suite, Verdict } from './verdict.js';

const PRELOAD = path.join(__dirname, 'preload-http2.js');

const titles = ({ passes, failures }: Report): Set<string> => {
  // Several tests may have the same title: if one of them fails, none counts as passed.
  const failed = new Set(failures.map(({ fullTitle }) => fullTitle));
  return new Set(passes.map(({ fullTitle }) => fullTitle).filter((title) => !failed.has(title)));
};

/**
 * Runs the suite of a middleware package three times: as it is, with its servers replaced by `node:http2` servers (compatibility API), and with
 * `nonstop/http2` servers. Tests that pass on node's must pass here. Some tests are about HTTP/1 only: Transfer-Encoding, Connection, the version.
 *
 * @param folder a checkout with its dependencies, mocha and supertest 7 installed
 */
export async function http2Suite(folder: string, filter: string): Promise<Suite> {
  const root = path.resolve(folder);
  const over1 = titles(await report(root, { filter, env: {}, preloads: [] }));
  const run = (by: string) =>
    tallied(async (file) => {
      const env = { HTTP2_TEST: '1', HTTP2_BY: by, CONFORMANCE_TALLY: file };
      return titles(await report(root, { filter, env, preloads: [PRELOAD] }));
    });
  const nodes = (await run('node')).result;
  const { result: ours, tally } = await run('nonstop');
  const verdicts = Array.from(over1, (name): Verdict => {
    if (!nodes.has(name)) return { name, original: 'fail' };
    return { name, original: 'pass', ours: ours.has(name) ? 'pass' : 'fail', reason: 'it passes on node:http2 alone' };
  });
  const served = tally.engine > 0 && tally['node:http'] === 0;
  verdicts.push({ name: 'every stream is answered by Nonstop', original: 'pass', ours: served ? 'pass' : 'fail' });
  const count = (passed: Set<string>): number => [...over1].filter((name) => passed.has(name)).length;
  return {
    verdicts,
    notes: [
      `of ${over1.size} titles that pass over HTTP/1, ${count(nodes)} pass over HTTP/2 on node:http2 and ${count(ours)} on nonstop/http2`,
      `${tally.engine} streams were answered by Nonstop`,
    ],
  };
}
