import fs = require('node:fs');
import path = require('node:path');
import type { Bench } from '../measure.js';
import { labRoot, repoRoot } from '../paths.js';
import type { BenchRecord, RunOptions } from '../record.js';
import type { PeerSource } from '../scenario.js';
import { install, isInstalled } from '../on-demand.js';
import type { Runtime } from './bun.js';
import type { Contestant } from './contestants.js';

interface Gate {
  /** Receives the versions of the contestants that take part, and the reasons for the others. */
  readonly record: BenchRecord & { readonly study: string };
  readonly node: Bench['node'];
  readonly bun: Runtime | undefined;
  readonly options: Pick<RunOptions, 'progress' | 'signal'>;
}

/** The contestants that can run here, installed; the record names the others. */
export async function admit(
  chosen: Readonly<Record<string, Contestant>>,
  gate: Gate,
): Promise<Record<string, PeerSource>> {
  const { record, node, bun, options } = gate;
  const peers: Record<string, PeerSource> = {};
  for (const [name, contestant] of Object.entries(chosen)) {
    if (contestant.onBun && bun === undefined) continue;
    try {
      await fetchIfMissing(contestant, options);
      peers[name] = contestant.onBun ? { ...contestant, program: bun?.path } : contestant;
      const version = versionOf(contestant);
      if (version !== undefined) record.versions[name] = version;
    } catch (error) {
      options.signal.throwIfAborted();
      const problem = error instanceof Error ? error.message : String(error);
      record.failures.push({ scenario: record.study, contestant: name, node: node.version, problem });
    }
  }
  return peers;
}

async function fetchIfMissing({ onDemand }: Contestant, { progress, signal }: Gate['options']): Promise<void> {
  if (onDemand === undefined || isInstalled(onDemand.spec)) return;
  progress(`installing ${onDemand.spec} (${onDemand.reason})`, '');
  await install([onDemand.spec], signal);
}

/** Read from the file: some packages do not export their manifest. */
function versionOf({ package: name }: Contestant): string | undefined {
  if (name === undefined) return undefined;
  const homes = [labRoot, repoRoot, path.join(labRoot, '.peers')];
  const manifests = homes.map((home) => path.join(home, 'node_modules', name, 'package.json'));
  const manifest = manifests.find((file) => fs.existsSync(file));
  return manifest && (JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string }).version;
}
