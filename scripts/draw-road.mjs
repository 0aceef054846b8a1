// node scripts/draw-road.mjs: the picture of the road, docs/internals/road.svg, from the block of docs/internals/README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from './lib/paths.mjs';
import { drawRoad, readRoad } from './lib/road.mjs';

writeFileSync(
  inRoot('docs/internals/road.svg'),
  drawRoad(readRoad(readFileSync(inRoot('docs/internals/README.md'), 'utf8'))),
);
