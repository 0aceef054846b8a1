import { balanced } from '../../../src/stats.js';
import { verbs, type Choice, type Verb } from './contract.js';
import { count } from './format.js';

/** One request of the plan. Repetitions count from 0; those of the warm-up have negative numbers. */
export interface Step {
  readonly repetition: number;
  readonly shape: string;
  readonly verb: Verb;
  readonly contestant: string;
}

/** Maximum number of repetitions: more would not fit into one record. */
export const mostRepetitions = 1000;

/**
 * All requests in order. A repetition goes through every shape, and the contestants answer the same verb one right
 * after another, so that changes in the machine's speed affect all of them and all shapes.
 */
export function plan(choice: Choice): Step[] {
  const chosenVerbs = verbs.filter((verb) => choice.verbs.includes(verb));
  const steps: Step[] = [];
  for (let repetition = -choice.warmup; repetition < choice.repetitions; repetition++) {
    const contestants = balanced(choice.contestants, repetition + choice.warmup);
    for (const shape of choice.shapes) {
      for (const verb of chosenVerbs) {
        for (const contestant of contestants) steps.push({ repetition, shape, verb, contestant });
      }
    }
  }
  return steps;
}

/** The errors of a choice, by field; empty if a run can start. */
export function problemsOf(choice: Choice): Partial<Record<keyof Choice, string>> {
  const problems: Partial<Record<keyof Choice, string>> = {};
  if (choice.contestants.length === 0) problems.contestants = 'Choose at least one contestant.';
  if (choice.shapes.length === 0) problems.shapes = 'Choose at least one record shape.';
  if (choice.verbs.length === 0) problems.verbs = 'Choose at least one verb.';
  if (!isWhole(choice.repetitions, 1, mostRepetitions)) {
    problems.repetitions = `Repetitions: a whole number from 1 to ${mostRepetitions.toLocaleString('en')}.`;
  }
  if (!isWhole(choice.warmup, 0, 100)) problems.warmup = 'Warm-up rounds: a whole number from 0 to 100.';
  return problems;
}

const isWhole = (value: number, low: number, high: number): boolean =>
  Number.isInteger(value) && value >= low && value <= high;

/** What the button will do, beside it: how much is timed, or what is missing before anything can be. */
export function outlook(choice: Choice): string {
  const missing = Object.values(problemsOf(choice));
  if (missing.length > 0) return `Nothing can be timed yet. ${missing.join(' ')}`;
  return `${count(timedRequests(choice))} requests will be timed`;
}

/** The number of requests that will be timed. */
export const timedRequests = ({ contestants, shapes, verbs, repetitions }: Choice): number =>
  contestants.length * shapes.length * verbs.length * repetitions;
