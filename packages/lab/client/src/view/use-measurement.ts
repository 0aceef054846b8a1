import { useCallback, useEffect, useRef, useState } from 'react';
import { kept } from '../browser/keep.js';
import { beforeAnything, Measurement, type Progress } from '../browser/measurement.js';
import type { Choice, Setup } from '../logic/contract.js';

export interface Controls {
  readonly start: (choice: Choice) => void;
  readonly stop: () => void;
  /** Continues a stopped run. */
  readonly resume: () => void;
}

/** The current run, and the actions on it. */
export function useMeasurement(setup: Setup): readonly [Progress, Controls] {
  const [progress, tell] = useState(() => beforeAnything(kept()));
  const current = useRef<Measurement | undefined>(undefined);
  useEffect(() => () => current.current?.close(), []);
  const start = useCallback(
    (choice: Choice) => {
      current.current?.close();
      current.current = new Measurement(setup, choice, tell);
      void current.current.go();
    },
    [setup],
  );
  const stop = useCallback(() => current.current?.stop(), []);
  const resume = useCallback(() => {
    void current.current?.go();
  }, []);
  return [progress, { start, stop, resume }];
}
