import type { ProgramPlan } from './random-program.js';

type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

/** What may be left out of an object of a plan; the path of a route may not. */
const OPTIONAL = new Set(['path', 'isAsync', 'takesErrors']);
const isRoute = (object: object): boolean => 'kind' in object && (object.kind === 'verb' || object.kind === 'route');

/**
 * Makes a plan as small as it goes.
 *
 * @param differs whether a candidate still shows what the plan showed
 * @param tries how many candidates may be asked about
 */
export async function shrink(
  plan: ProgramPlan,
  differs: (candidate: ProgramPlan) => Promise<boolean>,
  tries = 600,
): Promise<ProgramPlan> {
  let best = plan;
  let left = tries;
  for (let found = true; found && left > 0;) {
    found = false;
    for (const candidate of smaller(best as unknown as Json)) {
      if (left-- <= 0) break;
      const asPlan = candidate as unknown as ProgramPlan;
      if (asPlan.requests.length === 0 || !(await differs(asPlan))) continue;
      best = asPlan;
      found = true;
      break;
    }
  }
  return best;
}

/** Every value that is one step smaller: great steps first, as they save most of the work. */
function* smaller(value: Json): Generator<Json> {
  if (Array.isArray(value)) yield* smallerList(value as readonly Json[]);
  else if (typeof value === 'object') yield* smallerObject(value as { readonly [name: string]: Json });
}

function* smallerList(list: readonly Json[]): Generator<Json> {
  if (list.length > 3) {
    const half = list.length >> 1;
    yield list.slice(0, half);
    yield list.slice(half);
  }
  for (const i of list.keys()) yield list.toSpliced(i, 1);
  // What a router holds, in its place.
  for (const [i, item] of list.entries()) {
    if (typeof item === 'object' && 'layers' in item)
      yield list.toSpliced(i, 1, ...(item['layers'] as readonly Json[]));
  }
  for (const [i, item] of list.entries()) for (const less of smaller(item)) yield list.with(i, less);
}

function* smallerObject(object: { readonly [name: string]: Json }): Generator<Json> {
  for (const name of Object.keys(object)) {
    if (!OPTIONAL.has(name) || (name === 'path' && isRoute(object))) continue;
    const { [name]: _left, ...rest } = object;
    yield rest;
  }
  for (const [name, value] of Object.entries(object)) {
    const all = name === 'statements' ? withoutEarlier(value as readonly Json[]) : smaller(value);
    for (const less of all) yield { ...object, [name]: less };
  }
}

/** A handler that has lost its last statement answers nothing: it would be looked at until patience ends. */
function* withoutEarlier(statements: readonly Json[]): Generator<Json> {
  for (let i = 0; i < statements.length - 1; i++) yield statements.toSpliced(i, 1);
}
