import { useEffect, useState } from 'react';
import { getHealth } from '../browser/api.js';
import type { Health } from '../logic/contract.js';

const everyMs = 10_000;

/** Which servers answer: polled, but never during a measurement. `gone`: the coordinator itself does not answer. */
export function useHealth(busy: boolean): Health | 'gone' | undefined {
  const [health, setHealth] = useState<Health | 'gone'>();
  useEffect(() => {
    if (busy) return undefined;
    let left = false;
    const look = (): void => {
      if (document.hidden) return;
      getHealth()
        .catch(() => 'gone' as const)
        .then((now) => {
          if (!left) setHealth(now);
        })
        .catch(() => undefined);
    };
    look();
    const timer = setInterval(look, everyMs);
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [busy]);
  return health;
}
