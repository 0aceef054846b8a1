// Loaded in front of an example: tells who served its requests when the parent asks.
import { hearRequests, type Served } from '../../support/served.js';

const counted: Served = { engine: 0, 'node:http': 0 };
hearRequests((by) => counted[by]++);

process.on('message', (asked) => {
  if (asked === 'served') process.send?.({ served: counted });
});
// The example ends as it would without this file.
process.channel?.unref();
