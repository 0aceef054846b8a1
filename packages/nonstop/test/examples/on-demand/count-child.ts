// Loaded before an example: reports who served its requests when the parent asks.
import { hearRequests, type Served } from '../../support/served.js';

const counted: Served = { engine: 0, 'node:http': 0 };
hearRequests((by) => counted[by]++);

process.on('message', (asked) => {
  if (asked === 'served') process.send?.({ served: counted });
});
// This file must not keep the example alive.
process.channel?.unref();
