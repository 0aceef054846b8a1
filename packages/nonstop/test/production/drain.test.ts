import { describe } from 'node:test';
import { drains } from './drains.js';

for (const engine of ['nonstop', 'node']) {
  describe(`a drain of one process loses nothing, with NONSTOP_ENGINE=${engine}`, () => drains(engine, []));
}
