/**
 * Loaded into each contestant's process before its own code: answers the lab's question for what the process has used.
 * Asking the process itself works on every platform and counts in microseconds, /proc in ticks of 10 ms.
 */
process.on('message', (question) => {
  if (question !== 'usage') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() } satisfies Usage);
});

// The lab is gone, by Ctrl-C or worse: a server without its lab would stay for ever.
process.on('disconnect', () => process.exit());

export interface Usage {
  /** User and system time of the whole process since its start, in microseconds. */
  readonly cpu: number;
  /** Resident memory, in bytes. */
  readonly rss: number;
}
