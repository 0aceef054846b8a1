import assert = require('node:assert/strict');
import fs = require('node:fs');
import { describe, test } from 'node:test';
import { chooseRows } from '../../packages/lab/src/board/rows.js';
import { inRepo } from '../../packages/nonstop/test/support/paths.js';

const folder = inRepo('.github/workflows');

describe('the hosted workflows', () => {
  for (const name of fs.readdirSync(folder)) {
    const text = fs.readFileSync(`${folder}/${name}`, 'utf8');
    // The text of each job, without its comments.
    const jobs = text
      .slice(text.indexOf('\njobs:\n'))
      .replaceAll(/ *# .*/g, '')
      .split(/\n {2}(?=[a-z]+:\n)/)
      .slice(1);

    test(`${name} has each action at a commit: a tag can be moved to other code`, () => {
      const used = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
      assert.ok(used.length > 0);
      for (const action of used) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    test(`${name} runs no code of the repository or of its dependencies where a token may write`, () => {
      assert.ok(jobs.length > 0);
      assert.doesNotMatch(text.slice(0, text.indexOf('\njobs:\n')), /: write/);
      for (const job of jobs.filter((one) => one.includes(': write')))
        assert.doesNotMatch(job, /actions\/checkout|npm (?:ci|run|test)|\.ci\/run/);
    });

    test(`${name} asks the board for rows that it has`, () => {
      for (const [, rows] of text.matchAll(/lab -- board .*--row (\S+)/g)) chooseRows(rows.split(','));
    });
  }
});
