import { useId, type CSSProperties } from 'react';

interface CheckListProps<Name extends string> {
  /** Where the form finds it when something is wrong with it. */
  readonly field: string;
  readonly legend: string;
  readonly options: readonly {
    readonly name: Name;
    readonly label: string;
    readonly hint: string;
    readonly mark?: CSSProperties;
  }[];
  readonly chosen: readonly Name[];
  readonly problem: string | undefined;
  readonly disabled: boolean;
  readonly choose: (names: Name[]) => void;
}

/** Any of several, with a button for all or none of them. */
export function CheckList<Name extends string>(props: CheckListProps<Name>) {
  const { field, legend, options, chosen, problem, disabled, choose } = props;
  const id = useId();
  const all = chosen.length === options.length;
  // In the order of the list, whatever was pressed first.
  const toggle = (name: Name): void =>
    choose(options.map((option) => option.name).filter((one) => chosen.includes(one) !== (one === name)));
  return (
    <div
      className="checks"
      role="group"
      data-field={field}
      aria-labelledby={id}
      aria-describedby={problem === undefined ? undefined : `${id}-problem`}
    >
      <div className="line">
        <h2 id={id}>{legend}</h2>
        <button
          type="button"
          className="all"
          disabled={disabled}
          onClick={() => choose(all ? [] : options.map(({ name }) => name))}
        >
          {all ? 'none' : 'all'}
          <span className="out-of-sight"> of the {legend.toLowerCase()}</span>
        </button>
      </div>
      <ul>
        {options.map(({ name, label, hint, mark }) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                disabled={disabled}
                onChange={() => toggle(name)}
              />
              {mark !== undefined && <span className="mark" style={mark} />}
              <span className="label">{label}</span>
              <small>{hint}</small>
            </label>
          </li>
        ))}
      </ul>
      {problem !== undefined && (
        <p className="problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
