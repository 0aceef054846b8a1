import { parseArgs } from 'node:util';

/** @typedef {NonNullable<import('node:util').ParseArgsConfig['options']>} Options */

/**
 * Reads a command line. `--help` prints the usage and ends the process.
 * @template {Options} O
 * @param {string} usage
 * @param {O} options as parseArgs takes them, without `help`
 * @param {{ args?: string[], words?: number }} [more] `args`: the process's own when left out; `words`: how many arguments that
 *   are not options there may be, none when left out
 * @throws {Error} in one line, with the usage below it
 */
export function readCommandLine(usage, options, { args = process.argv.slice(2), words = 0 } = {}) {
  const { values, positionals } = parse(usage, { args, options: { ...options, help: { type: 'boolean' } } });
  if (/** @type {{ help?: boolean }} */ (values).help) {
    console.log(usage);
    process.exit(0);
  }
  if (positionals.length > words) throw new Error(`Unexpected argument: ${positionals[words]}\n\n${usage}`);
  return { values, positionals };
}

/**
 * @template {Options} O
 * @param {string} usage
 * @param {{ args: string[], options: O }} what
 */
function parse(usage, what) {
  try {
    return parseArgs({ ...what, args: withNegativeValues(what.args), allowPositionals: true });
  } catch (error) {
    // The rest after the first sentence explains a syntax that is not used here.
    const [problem] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/);
    throw new Error(`${problem}\n\n${usage}`, { cause: error });
  }
}

/**
 * Joins `-3` to the option before it: parseArgs takes it for an option, and its message would not name the wrong value.
 * @param {string[]} args
 */
function withNegativeValues(args) {
  return args.reduce((/** @type {string[]} */ joined, arg) => {
    const before = joined.at(-1);
    if (/^-\d/.test(arg) && before !== undefined && /^--[\w-]+$/.test(before)) joined.splice(-1, 1, `${before}=${arg}`);
    else joined.push(arg);
    return joined;
  }, []);
}

/**
 * The number in an option.
 * @param {string} name
 * @param {string | undefined} text
 * @throws {Error} in one line, when it is not a number above 0
 */
export function positive(name, text) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && value > 0 && Number.isFinite(value)) return value;
  throw new Error(`--${name} needs a number above 0, got '${text}'`);
}

/**
 * The whole number in an option.
 * @param {string} name
 * @param {string | undefined} text
 * @throws {Error} in one line, when it is not a whole number above 0
 */
export function whole(name, text) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`--${name} needs a whole number above 0, got '${text}'`);
}

/**
 * The words in an option that takes several, such as `a,b`.
 * @param {string} name
 * @param {string | undefined} text
 * @throws {Error} in one line, if one of them is empty or occurs twice
 */
export function list(name, text) {
  const words = text?.split(',').map((word) => word.trim());
  if (words?.includes('')) throw new Error(`--${name} needs a list such as a,b, got '${text}'`);
  const twice = words?.find((word, place) => words.indexOf(word) < place);
  if (twice !== undefined) throw new Error(`--${name} names '${twice}' twice`);
  return words;
}
