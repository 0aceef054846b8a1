import { useId, useMemo, useState } from 'react';
import { keepSaved, savedSamplesOf } from '../browser/keep.js';
import type { Choice, Setup } from '../logic/contract.js';
import type { Run } from '../logic/export.js';
import { rows, together } from '../logic/statistics.js';
import { ChoiceForm } from './choice-form.js';
import { Method } from './method.js';
import { Pictures } from './pictures.js';
import { ProgressCard } from './progress-card.js';
import { SaveBar } from './save-bar.js';
import { ComparisonTable, ResultTable } from './tables.js';
import { useHealth } from './use-health.js';
import { useMeasurement } from './use-measurement.js';

/** Choosing on one side, what comes of it on the other. */
export function Lab({ setup }: { readonly setup: Setup }) {
  const [progress, controls] = useMeasurement(setup);
  const busy = ['connecting', 'running', 'stopping'].includes(progress.phase);
  const health = useHealth(busy);
  const { run } = progress;
  const [savedSamples, setSavedSamples] = useState(() => savedSamplesOf(run));
  const unsaved = run === undefined ? 0 : run.samples.length - savedSamples;
  const start = (choice: Choice): void => {
    setSavedSamples(0);
    controls.start(choice);
  };
  const saved = (samples: number): void => {
    if (run !== undefined) keepSaved(run, samples);
    setSavedSamples(samples);
  };
  return (
    <div className="lab">
      <aside aria-label="What to measure">
        <ChoiceForm {...{ setup, health, busy, unsaved, start }} />
      </aside>
      <main>
        <ProgressCard progress={progress} health={health} controls={controls} />
        {run !== undefined && run.samples.length > 0 && !busy && (
          <SaveBar setup={setup} run={run} isSaved={unsaved === 0} saved={saved} />
        )}
        {run === undefined || run.samples.length === 0 ? <Method setup={setup} /> : <Results setup={setup} run={run} />}
      </main>
    </div>
  );
}

function Results({ setup, run }: { readonly setup: Setup; readonly run: Run }) {
  const { choice } = run;
  const all = useMemo(
    () => ({
      contestants: inOrderOf(setup.contestants, choice.contestants),
      shapes: inOrderOf(setup.shapes, choice.shapes),
      verbs: setup.verbs.filter((verb) => choice.verbs.includes(verb)),
    }),
    [setup, choice],
  );
  const measured = useMemo(() => rows(run.samples, all), [run.samples, all]);
  const withSums = useMemo(() => [...measured, ...together(run.samples, all)], [measured, run.samples, all]);
  const heading = useId();
  return (
    <>
      <Pictures setup={setup} order={all} rows={withSums} />
      <section aria-labelledby={heading}>
        <h2 id={heading}>Figures</h2>
        <ResultTable setup={setup} rows={measured} />
        <ComparisonTable setup={setup} rows={withSums} />
      </section>
    </>
  );
}

/** What was chosen as the setup lists it; at the end what a lab of before had, and this one has not. */
function inOrderOf(listed: readonly { readonly name: string }[], chosen: readonly string[]): string[] {
  const here = listed.map(({ name }) => name).filter((name) => chosen.includes(name));
  return [...here, ...chosen.filter((name) => !here.includes(name))];
}
