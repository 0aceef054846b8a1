import { useId, useRef, useState, type ReactNode } from 'react';
import type { Choice, Health, Setup, Verb } from '../logic/contract.js';
import { bytes, count } from '../logic/format.js';
import { mostRepetitions, outlook, problemsOf } from '../logic/plan.js';
import { CheckList } from './check-list.js';
import { toneOf } from './tone.js';

interface ChoiceFormProps {
  readonly setup: Setup;
  readonly health: Health | 'gone' | undefined;
  readonly busy: boolean;
  /** Samples of the run before that are in no record. */
  readonly unsaved: number;
  readonly start: (choice: Choice) => void;
}

const verbWords: Record<Verb, string> = { POST: 'create', GET: 'read', PUT: 'change', DELETE: 'delete' };

/** What to measure, and the button that begins. */
export function ChoiceForm({ setup, health, busy, unsaved, start }: ChoiceFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [choice, setChoice] = useState<Choice>(() => everything(setup));
  const [shown, show] = useState<'nothing' | 'problems' | 'unsaved'>('nothing');
  const change = (part: Partial<Choice>): void => {
    setChoice({ ...choice, ...part });
    if (shown === 'unsaved') show('nothing');
  };
  const found = problemsOf(choice);
  // A number that cannot be used is told at once; an empty field may be on its way to another.
  const { repetitions, warmup } = found;
  const atOnce = {
    ...(!Number.isNaN(choice.repetitions) && repetitions !== undefined && { repetitions }),
    ...(!Number.isNaN(choice.warmup) && warmup !== undefined && { warmup }),
  };
  const problems = shown === 'problems' ? found : atOnce;
  const submit = (): void => {
    const [field] = Object.keys(found);
    if (field !== undefined) {
      show('problems');
      form.current?.querySelector<HTMLElement>(`[data-field=${field}] input`)?.focus();
    } else if (unsaved > 0 && shown !== 'unsaved') show('unsaved');
    else {
      show('nothing');
      start(choice);
    }
  };
  return (
    <form
      className="card choice"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Lists {...{ setup, health, choice, change, problems }} disabled={busy} />
      <Numbers {...{ choice, change, problems }} disabled={busy} />
      <Go busy={busy} again={shown === 'unsaved'}>
        {shown === 'unsaved' ? (
          <span role="alert">
            {count(unsaved)} samples are not saved. A new run replaces them: save or export them first, or press again.
          </span>
        ) : (
          outlook(choice)
        )}
      </Go>
    </form>
  );
}

interface ListsProps extends Pick<ChoiceFormProps, 'setup' | 'health'> {
  readonly choice: Choice;
  readonly change: (part: Partial<Choice>) => void;
  readonly problems: Partial<Record<keyof Choice, string>>;
  readonly disabled: boolean;
}

function Lists({ setup, health, choice, change, problems, disabled }: ListsProps) {
  const answers = (name: string): boolean => typeof health !== 'object' || (health.contestants[name] ?? true);
  return (
    <>
      <CheckList
        field="contestants"
        legend="Contestants"
        options={setup.contestants.map(({ name, version }) => ({
          name,
          label: name,
          hint: answers(name) ? version : 'does not answer',
          mark: toneOf(name),
        }))}
        chosen={choice.contestants}
        problem={problems.contestants}
        disabled={disabled}
        choose={(contestants) => change({ contestants })}
      />
      <CheckList
        field="shapes"
        legend="Record shapes"
        options={setup.shapes.map(({ name, title, record }) => ({
          name,
          label: title,
          hint: bytes(JSON.stringify(record).length),
        }))}
        chosen={choice.shapes}
        problem={problems.shapes}
        disabled={disabled}
        choose={(shapes) => change({ shapes })}
      />
      <CheckList
        field="verbs"
        legend="Verbs"
        options={setup.verbs.map((name) => ({ name, label: name, hint: verbWords[name] }))}
        chosen={choice.verbs}
        problem={problems.verbs}
        disabled={disabled}
        choose={(verbs) => change({ verbs })}
      />
    </>
  );
}

function Numbers({ choice, change, problems, disabled }: Omit<ListsProps, 'setup' | 'health'>) {
  return (
    <div className="numbers">
      <NumberField
        field="repetitions"
        label="Repetitions"
        value={choice.repetitions}
        most={mostRepetitions}
        problem={problems.repetitions}
        disabled={disabled}
        change={(repetitions) => change({ repetitions })}
      />
      <NumberField
        field="warmup"
        label="Warm-up"
        hint="rounds, not counted"
        value={choice.warmup}
        most={100}
        problem={problems.warmup}
        disabled={disabled}
        change={(warmup) => change({ warmup })}
      />
    </div>
  );
}

interface GoProps {
  readonly busy: boolean;
  readonly again: boolean;
  readonly children: ReactNode;
}

function Go({ busy, again, children }: GoProps) {
  const label = busy ? 'Measuring …' : again ? 'Start anyway' : 'Start';
  return (
    <div className="go">
      <button type="submit" className="primary" disabled={busy}>
        {label}
      </button>
      <p>{children}</p>
    </div>
  );
}

interface NumberFieldProps {
  readonly field: keyof Choice;
  readonly label: string;
  readonly hint?: string;
  readonly value: number;
  readonly most: number;
  readonly problem: string | undefined;
  readonly disabled: boolean;
  readonly change: (value: number) => void;
}

function NumberField({ field, label, hint, value, most, problem, disabled, change }: NumberFieldProps) {
  const id = useId();
  return (
    <div className="number" data-field={field}>
      <label htmlFor={id}>
        {label} {hint !== undefined && <small>{hint}</small>}
      </label>
      <input
        id={id}
        type="number"
        inputMode="numeric"
        min={field === 'warmup' ? 0 : 1}
        max={most}
        step={1}
        value={Number.isNaN(value) ? '' : value}
        disabled={disabled}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={({ target }) => change(target.valueAsNumber)}
      />
      {problem !== undefined && (
        <p className="problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

const everything = ({ contestants, shapes, verbs, repetitions }: Setup): Choice => ({
  contestants: contestants.map(({ name }) => name),
  shapes: shapes.map(({ name }) => name),
  verbs,
  repetitions,
  warmup: 3,
});
