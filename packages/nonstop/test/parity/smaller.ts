import type { ProgramPlan } from './random-program.js';

type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json };

/** The optional members of a plan's objects; the path of a route is not optional. */
const OPTIONAL = new Set(['path', 'isAsync', 'takesErrors', 'version', 'chunked']);
/** Members that are lists of a name and a value: half of one is no program. */
const PAIRS = new Set(['choices', 'fields']);
const isRoute = (object: object): boolean => 'kind' in object && (object.kind === 'verb' || object.kind === 'route');

/**
 * Shrinks a plan as far as possible.
 *
 * @param differs whether a candidate still shows the difference
 * @param tries maximum number of candidates
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

/** Every value that is one step smaller; large steps first, because they save most of the work. */
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
  // The layers of a router, in place of the router.
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
    for (const less of smallerMember(name, value)) yield { ...object, [name]: less };
  }
}

function smallerMember(name: string, value: Json): Iterable<Json> {
  const list = value as readonly Json[];
  if (name === 'statements') return withoutEarlier(list);
  return PAIRS.has(name) ? list.map((_, i) => list.toSpliced(i, 1)) : smaller(value);
}

/** Without its last statement a handler never answers: each such candidate would take the full time limit. */
function* withoutEarlier(statements: readonly Json[]): Generator<Json> {
  for (let i = 0; i < statements.length - 1; i++) yield statements.toSpliced(i, 1);
}
