import assert = require('node:assert/strict');
import { createRequire } from 'node:module';
import { inRepo } from './paths.js';

interface Symbol {
  readonly name: string;
  readonly flags: number;
  readonly declarations?: readonly { getSourceFile(): { readonly fileName: string } }[];
}
interface Checker {
  getSymbolAtLocation(node: object): Symbol;
  getExportsOfModule(module: Symbol): Symbol[];
  getDeclaredTypeOfSymbol(symbol: Symbol): { getProperties(): Symbol[] };
  getAliasedSymbol(symbol: Symbol): Symbol;
}
/** TypeScript 5, which the site has for its reference. TypeScript 7 has no such interface. */
const typescript = createRequire(inRepo('docs/package.json'))('typescript') as {
  createProgram(files: string[], options: object): { getTypeChecker(): Checker; getSourceFile(file: string): object };
  readonly SymbolFlags: { readonly Alias: number };
};

/** The exports of a declaration file, as the compiler reads them. */
export function declarations(file: string): { exportedNames(): string[]; membersOf(name: string): string[] } {
  const program = typescript.createProgram([file], {
    module: 199,
    moduleResolution: 99,
    strict: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
  return {
    exportedNames: () => exported.map(({ name }) => name),
    /** Members that come from node's own interfaces are left out. */
    membersOf(wanted) {
      const found = exported.find(({ name }) => name === wanted);
      assert.ok(found, `${file} exports ${wanted}`);
      const symbol = found.flags & typescript.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
      const members = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
      const ours = members.filter(({ declarations: places }) =>
        places?.some((place) => !place.getSourceFile().fileName.includes('/@types/')),
      );
      return ours.map(({ name }) => name).filter((name) => !name.startsWith('__@'));
    },
  };
}
