import { pathToFileURL } from 'node:url';
import { inRepo } from './paths.js';

type Option = { readonly type: 'string' | 'boolean' };

/** `scripts/lib/command-line.mjs`, which the test commands share with the scripts. */
export interface CommandLine {
  readCommandLine<O extends Record<string, Option>>(
    usage: string,
    options: O,
    more?: { readonly args?: readonly string[]; readonly words?: number },
  ): {
    readonly values: { readonly [name in keyof O]?: O[name]['type'] extends 'string' ? string : boolean };
    readonly positionals: readonly string[];
  };
  positive(name: string, text: string | undefined): number | undefined;
  whole(name: string, text: string | undefined): number | undefined;
  list(name: string, text: string | undefined): string[] | undefined;
}

const script = (name: string): Promise<unknown> => import(pathToFileURL(inRepo('scripts/lib', name)).href);

export const commandLine = (): Promise<CommandLine> => script('command-line.mjs') as Promise<CommandLine>;

/** Runs a command: invalid input prints one line and exits with status 1, without a stack. */
export async function run(work: (line: CommandLine) => Promise<void>): Promise<void> {
  const { main } = (await script('main.mjs')) as { main: (work: () => Promise<void>) => Promise<void> };
  const line = await commandLine();
  await main(() => work(line));
}
