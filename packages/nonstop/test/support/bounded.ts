/** No exchange on loopback takes this long, even on a busy machine; a longer wait is a hang, and the error says where. */
export const HANG_MS = 15_000;

/**
 * @param what what is waited for, and what has happened so far
 * @param patience in milliseconds
 * @throws if the promise takes longer
 */
export async function bounded<T>(promise: Promise<T>, what: () => string, patience = HANG_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${patience} ms for ${what()}`)), patience);
  });
  try {
    return await Promise.race([promise, hang]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits, a turn of the event loop at a time, until the condition holds. @throws if that takes too long */
export async function until(holds: () => boolean, what: () => string): Promise<void> {
  const end = Date.now() + HANG_MS;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`waited ${HANG_MS} ms for ${what()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
