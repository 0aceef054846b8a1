import assert = require('node:assert/strict');
import express = require('express');
import { test } from 'node:test';
import { Router } from '../../src/routing/router.js';
import { build, play, type RouterMaker } from '../support/play-router.js';
import { RouterPlanner } from '../support/random-router.js';
import { seeded } from '../support/seeded.js';

const ours: RouterMaker = (options) => Router(options) as never;
const theirs: RouterMaker = (options) => express.Router(options) as never;

const PROGRAMS = Number(process.env['NONSTOP_TEST_PROGRAMS'] ?? 150);

for (let lot = 0; lot < 4; lot++) {
  test(`random routers call the same handlers with the same state as Express's, lot ${lot}`, async () => {
    for (let seed = lot * PROGRAMS; seed < (lot + 1) * PROGRAMS; seed++) {
      const planner = new RouterPlanner(seeded(seed));
      const plan = planner.router(2);
      const [expected, actual] = [build(plan, theirs), build(plan, ours)];
      for (let i = 0; i < 6; i++) {
        const [method, url] = [planner.method(), planner.target()];
        assert.deepEqual(
          await play(actual, method, url),
          await play(expected, method, url),
          `seed ${seed}: ${method} ${url}`,
        );
      }
    }
  });
}
