import { useState } from 'react';
import { CoordinatorGone, postRecord } from '../browser/api.js';
import { download } from '../browser/download.js';
import type { Setup } from '../logic/contract.js';
import { count } from '../logic/format.js';
import { toCsv, toJson, toRecord, type Run } from '../logic/export.js';

interface SaveBarProps {
  readonly setup: Setup;
  readonly run: Run;
  /** All its samples are in a record or a file. */
  readonly isSaved: boolean;
  /** Told how many samples are safe now. */
  readonly saved: (samples: number) => void;
}

type State = { readonly tone: 'plain' | 'bad'; readonly text: string } | undefined;

/** Where samples go: the lab's records, or a file of one's own. */
export function SaveBar({ setup, run, isSaved, saved }: SaveBarProps) {
  const [state, setState] = useState<State>();
  const [saving, setSaving] = useState(false);
  const name = `crud-${run.started.slice(0, 19).replaceAll(':', '-')}`;
  const save = async (): Promise<void> => {
    setSaving(true);
    try {
      const file = await postRecord(toRecord(run));
      saved(run.samples.length);
      setState({ tone: 'plain', text: `Saved as ${file}` });
    } catch (error) {
      const why =
        error instanceof CoordinatorGone ? 'The lab does not answer; export the samples instead.' : String(error);
      setState({ tone: 'bad', text: `Not saved. ${why}` });
    }
    setSaving(false);
  };
  const exportAs = (extension: 'json' | 'csv'): void => {
    const [text, type] =
      extension === 'json' ? [toJson(run, setup), 'application/json'] : [toCsv(run.samples), 'text/csv'];
    download(`${name}.${extension}`, text, type);
    saved(run.samples.length);
    setState({ tone: 'plain', text: `Exported as ${name}.${extension}` });
  };
  return (
    <section className="card save" aria-label="Save and export">
      <button type="button" className="primary" disabled={saving} onClick={() => void save()}>
        Save to the lab’s records
      </button>
      <button type="button" onClick={() => exportAs('json')}>
        Export JSON
      </button>
      <button type="button" onClick={() => exportAs('csv')}>
        Export CSV
      </button>
      <output className={state?.tone}>
        {state?.text ?? `${count(run.samples.length)} samples, ${isSaved ? 'saved' : 'not saved yet'}`}
      </output>
    </section>
  );
}
