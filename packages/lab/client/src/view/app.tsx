import { useEffect, useState } from 'react';
import { getSetup } from '../browser/api.js';
import type { Setup } from '../logic/contract.js';
import { Lab } from './lab.js';
import { Notice } from './notice.js';

/** The page: what the coordinator has set up, or that it does not answer. */
export function App() {
  const [setup, setSetup] = useState<Setup | 'loading' | 'gone'>('loading');
  const load = (): void => {
    getSetup().then(setSetup, () => setSetup('gone'));
  };
  useEffect(load, []);
  return (
    <>
      <Heading setup={typeof setup === 'string' ? undefined : setup} />
      {setup === 'loading' && <main className="lone" aria-busy="true" />}
      {setup === 'gone' && (
        <main className="lone">
          <Notice tone="bad" title="The lab does not answer" action={{ label: 'Try again', run: load }}>
            Start it with <code>npm run lab -- crud</code> and open the address that it prints.
          </Notice>
        </main>
      )}
      {typeof setup === 'object' && <Lab setup={setup} />}
    </>
  );
}

function Heading({ setup }: { readonly setup: Setup | undefined }) {
  return (
    <header className="heading">
      <p className="eyebrow">Nonstop lab · study crud</p>
      <h1>Records, one at a time</h1>
      <p className="lede">
        Web frameworks create, read, change and delete records in a real database. This browser asks for them, one
        request after another, and shows how long each took: as the server saw it, and as the client did. After “REST
        API performance comparison …” (Grudniak, Dzieńkowski 2021).
      </p>
      {setup !== undefined && (
        <dl className="facts">
          <Fact name="Database" value={setup.database.label} />
          <Fact name="Processor" value={`${setup.machine['processor']}, ${setup.machine['cores']} cores`} />
          <Fact name="System" value={String(setup.machine['system'])} />
          <Fact name="Node" value={nodeOf(setup)} />
        </dl>
      )}
    </header>
  );
}

const nodeOf = ({ versions }: Setup): string => (versions['node'] ?? versions['lab'] ?? 'unknown').replace(/^v/, '');

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
