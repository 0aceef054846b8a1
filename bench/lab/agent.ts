/**
 * Loaded into each contestant's process before its own code: answers the lab's question for what the process has used.
 * Asking the process itself works on every platform and counts in microseconds, /proc in ticks of 10 ms.
 */
process.on('message', (question) => {
  if (question !== 'usage' && question !== 'settled usage') return;
  // What a collection can still free is nobody's cost; twice, since finalizers free more.
  if (question === 'settled usage') for (let pass = 0; pass < 2; pass++) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const usage: Usage = { cpu: user + system, rss: process.memoryUsage.rss() };
  // Under a name of its own: an application may have messages for its parent, too (`process.send('ready')`).
  process.send?.({ lab: usage });
});
// A listener for messages keeps a process alive: one that has nothing to serve should end and say so.
process.channel?.unref();

// The lab is gone, by Ctrl-C or worse: a server without its lab would stay for ever.
process.on('disconnect', () => process.exit());

export interface Usage {
  /** User and system time of the whole process since its start, in microseconds. */
  readonly cpu: number;
  /** Resident memory, in bytes. */
  readonly rss: number;
}
