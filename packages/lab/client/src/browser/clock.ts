/** The resolution of this browser's clock in milliseconds: browsers reduce it on purpose. */
export function clockStep(): number {
  let least = Infinity;
  for (let seen = 0; seen < 20; seen++) {
    const before = performance.now();
    let now = before;
    while (now === before) now = performance.now();
    least = Math.min(least, now - before);
  }
  return Number(least.toPrecision(2));
}

/** Resolves after the next picture is on the screen, or soon in a background page, which draws nothing. */
export async function afterNextPicture(): Promise<void> {
  if (document.hidden) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  requestAnimationFrame(() => setTimeout(resolve, 0));
  setTimeout(resolve, 250);
  await promise;
}

/** Notices when the page goes to the background, where browsers give it less CPU time. */
export function watchHidden(): { readonly wasHidden: () => boolean; readonly stop: () => void } {
  let hidden = document.hidden;
  const look = (): void => {
    hidden ||= document.hidden;
  };
  document.addEventListener('visibilitychange', look);
  return { wasHidden: () => hidden, stop: () => document.removeEventListener('visibilitychange', look) };
}
