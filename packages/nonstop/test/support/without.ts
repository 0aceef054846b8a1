import { compiled } from './paths.js';
import { runProgram } from './run-program.js';

/** First lines of programs that remove an undocumented part from node, as a future version might. */
export const without = {
  symbol: (description: string): string => `{
    const all = Object.getOwnPropertySymbols;
    Object.getOwnPropertySymbols = (holder) => all(holder).filter((each) => each.description !== ${JSON.stringify(description)});
  }`,
  member: (of: string, name: string): string => `delete ${of}[${JSON.stringify(name)}];`,
};

/**
 * Loads a file of src/node in a changed node, in its own process.
 *
 * @param change code that changes node first
 * @param file without its folder and extension
 * @param expression code that can use the file's exports as `part`
 * @returns its value
 */
export async function inChangedNode(change: string, file: string, expression: string): Promise<unknown> {
  const loaded = JSON.stringify(compiled('src', 'node', `${file}.js`));
  const text = `
    const http = require('node:http'), net = require('node:net'), stream = require('node:stream');
    ${change}
    const part = require(${loaded});
    Promise.resolve(${expression}).then((value) => console.log(JSON.stringify(value ?? null)));
  `;
  const { stdout } = await runProgram({ text });
  return JSON.parse(stdout);
}
