import { useEffect, useRef } from 'react';
import type { Pause, Progress } from '../browser/measurement.js';
import type { Health } from '../logic/contract.js';
import { asHeading, count, duration } from '../logic/format.js';
import { Notice } from './notice.js';
import type { Controls } from './use-measurement.js';

interface ProgressCardProps {
  readonly progress: Progress;
  readonly health: Health | 'gone' | undefined;
  readonly controls: Controls;
}

/** Where the run is, what went wrong with it, and what the person can do. */
export function ProgressCard({ progress, health, controls }: ProgressCardProps) {
  return (
    <>
      <output className="out-of-sight">{spoken(progress)}</output>
      <Troubles progress={progress} health={health} controls={controls} />
      {['connecting', 'running', 'stopping'].includes(progress.phase) && (
        <Bar progress={progress} stop={controls.stop} />
      )}
      {progress.phase === 'complete' && <Done progress={progress} />}
    </>
  );
}

function Bar({ progress, stop }: { readonly progress: Progress; readonly stop: () => void }) {
  const { done, total, msLeft, step, run, phase } = progress;
  const part = total === 0 ? 0 : Math.floor((done / total) * 100);
  const card = useRef<HTMLElement>(null);
  // The button that was pressed is off now; on a phone it is also far above.
  useEffect(() => card.current?.focus(), []);
  return (
    <section className="card progress" aria-label="Progress" ref={card} tabIndex={-1}>
      <div className="line">
        <strong>{phase === 'connecting' ? 'Opening the contestants’ pages …' : whereIn(progress)}</strong>
        <span className="number">{part} %</span>
      </div>
      <progress max={total} value={done} aria-label="Requests done">
        {part} %
      </progress>
      <div className="line last">
        <div className="quiet">
          <div>
            {step === undefined || phase === 'connecting' ? '' : `${step.contestant}: ${step.verb} ${step.shape}`}
          </div>
          <div>
            {count(run?.samples.length ?? 0)} samples ·{' '}
            {msLeft === undefined ? 'time left: not known yet' : `${duration(msLeft)} left`}
          </div>
        </div>
        <button type="button" className="stop" disabled={phase === 'stopping'} onClick={stop}>
          {phase === 'stopping' ? 'Stopping …' : 'Stop'}
        </button>
      </div>
    </section>
  );
}

function whereIn({ step, run }: Progress): string {
  if (step === undefined || run === undefined) return '';
  const { repetitions, warmup } = run.choice;
  return step.repetition >= 0
    ? `Repetition ${count(step.repetition + 1)} of ${count(repetitions)}`
    : `Warm-up round ${step.repetition + warmup + 1} of ${warmup}`;
}

function Done({ progress: { run, gone } }: { readonly progress: Progress }) {
  const failures = run?.failures.length ?? 0;
  return (
    <Notice tone="good" title={`Done: ${count(run?.samples.length ?? 0)} samples`}>
      {failures === 0
        ? 'Every answer was the right one.'
        : `${count(failures)} ${failures === 1 ? 'failure is' : 'failures are'} in the export${Object.keys(gone).length > 0 ? ', and who left.' : '.'}`}
      {run?.browser.wasHidden && ' This page was in the background for a part of it, where browsers are slower.'}
    </Notice>
  );
}

const pauses: Record<Pause, readonly [title: string, text: string]> = {
  person: ['Stopped', ''],
  database: ['The database does not answer', 'Once it is back, go on: the request that failed comes first.'],
  coordinator: ['The lab does not answer', 'It may have ended. What this page has can still be exported.'],
  contestants: ['No contestant answers', 'Look at the terminal in which the lab runs; then go on.'],
  fault: ['This page made a mistake', 'What it has measured can be saved.'],
};

function Troubles({ progress, health, controls }: ProgressCardProps) {
  const { phase, pause, gone, run, kept, done, total } = progress;
  const samples = count(run?.samples.length ?? 0);
  const held = pause === undefined ? undefined : pauses[pause];
  return (
    <>
      {held !== undefined && pause !== undefined && (
        <Notice
          tone={pause === 'person' ? 'plain' : 'bad'}
          title={`${held[0]}${pause === 'person' ? ` after ${count(done)} of ${count(total)} requests` : ''}`}
          action={{ label: 'Go on', run: controls.resume }}
        >
          {held[1]} {samples} finished samples are here.
        </Notice>
      )}
      {pause === undefined && health === 'gone' && (
        <Notice tone="bad" title="The lab does not answer">
          It may have ended: <code>npm run lab -- crud</code> starts it.
        </Notice>
      )}
      {pause === undefined && typeof health === 'object' && !health.database && (
        <Notice tone="bad" title="The database does not answer">
          A run can start when it is back.
        </Notice>
      )}
      {Object.entries(gone).map(([name, why]) => (
        <Notice key={name} tone="bad" title={`${name} takes part no longer`}>
          {asHeading(why)}. The others go on; its finished samples stay.
        </Notice>
      ))}
      {phase === 'earlier' && run !== undefined && (
        <Notice tone="plain" title={`From your last visit: ${samples} samples`}>
          Begun {new Date(run.started).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}
          {run.ended === 'complete' ? '.' : ', not finished.'} A new run replaces them.
        </Notice>
      )}
      {!kept && (
        <Notice tone="plain" title="This browser keeps nothing for a reload">
          Save or export the samples before you leave the page.
        </Notice>
      )}
    </>
  );
}

/** What a screen reader is told: beginnings, ends and every tenth, not each of the thousands of requests. */
function spoken({ phase, done, total, pause }: Progress): string {
  if (phase === 'running') return `${Math.floor((done / total) * 10) * 10} percent done`;
  if (phase === 'complete') return 'The run is done.';
  // The other pauses are alerts.
  return phase === 'paused' && pause === 'person' ? 'Stopped.' : '';
}
