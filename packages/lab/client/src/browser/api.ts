import type { Health, Setup } from '../logic/contract.js';
import { asHeading } from '../logic/format.js';

/** The coordinator did not answer, or another program did. */
export class CoordinatorGone extends Error {}

const patience = 15_000;

/** The lab's titles are for the middle of sentences; these begin a list entry. */
export async function getSetup(): Promise<Setup> {
  const setup = await ask<Setup>('api/setup');
  return { ...setup, shapes: setup.shapes.map((shape) => ({ ...shape, title: asHeading(shape.title) })) };
}

export const getHealth = (): Promise<Health> => ask<Health>('api/health');

/**
 * Saves a run as one of the lab's records.
 *
 * @returns the file's name
 * @throws {CoordinatorGone}
 * @throws {Error} with the coordinator's message if it refuses the record
 */
export async function postRecord(record: object): Promise<string> {
  const { file } = await ask<{ file: string }>('api/records', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(record),
  });
  return file;
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  let response: Response;
  let answer: T & { readonly error?: string };
  try {
    response = await fetch(path, { ...init, cache: 'no-store', signal: AbortSignal.timeout(patience) });
    answer = await response.json();
  } catch (cause) {
    throw new CoordinatorGone('The lab does not answer.', { cause });
  }
  if (!response.ok) throw new Error(answer.error ?? `status ${response.status}`);
  return answer;
}
