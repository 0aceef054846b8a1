import { describe } from 'node:test';
import { drainsHttp2 } from './drains-http2.js';

for (const [engine, workers] of [
  ['nonstop', []],
  ['node', []],
  ['nonstop', ['--workers', '2']],
] as const) {
  describe(`a drain over HTTP/2 loses nothing, with NONSTOP_ENGINE=${engine} ${workers.join(' ')}`, () =>
    drainsHttp2(engine, workers));
}
