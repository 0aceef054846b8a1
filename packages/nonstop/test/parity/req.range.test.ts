import { asking, parity, requests } from './stage.js';

const RANGES = [
  undefined,
  '',
  'bytes=0-0',
  'bytes=0-99',
  'bytes=0-',
  'bytes=-5',
  'bytes=-0',
  'bytes=-500',
  'bytes=90-200',
  'bytes=100-200',
  'bytes=200-',
  'bytes=5-2',
  'bytes=0-4,5-9',
  'bytes=0-4, 90-99, 5-9',
  'bytes=40-80,79-90,0-50',
  'bytes=0-4,200-300',
  'bytes=-5,0-1',
  'bytes=x-y',
  'bytes=1-x',
  'bytes=',
  'bytes',
  'bytes 0-5',
  'items=0-5',
  'BYTES=0-5',
  'bytes=0-5,',
  'bytes=,0-5',
  'bytes= 0 - 5',
  'bytes=+1-2',
  'bytes=1.5-2',
  'bytes=0-18446744073709551616',
];

parity(
  asking(
    'req.range',
    (req) =>
      [100, 1, 0, 1e9].flatMap((size) => [req.range(size), req.range(size, { combine: true }), req.range(size, {})]),
    {
      rows: requests(RANGES.map((Range) => ['GET /', { Range }] as const)).map((row, i) => ({
        ...row,
        name: `${i}: ${row.name}`,
      })),
    },
  ),
);
