import fs = require('node:fs');
import path = require('node:path');
import { inPackage } from './paths.js';

/** One source file of `src/` and the specifiers it imports. */
export interface SourceFile {
  /** From `src/`, with forward slashes: `wire/parser.ts`. */
  readonly name: string;
  /** The first folder: `wire`. */
  readonly layer: string;
  /** All of them, types included: a layer that is barred is barred for types as well. */
  readonly specifiers: readonly string[];
  /** Those that load something at run time. Types may refer to each other in circles, code may not. */
  readonly loaded: readonly string[];
}

const comment = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;
const typeImport = /\b(?:import|export)\s+type\b[^'"]*['"][^'"\n]+['"]/g;
const specifier = /(?:\bfrom\s+|\bimport\s+|\bimport\s*\(\s*|\brequire\s*\(\s*)(['"])([^'"\n]+)\1/g;

/**
 * The specifiers that a TypeScript or JavaScript source imports, in order, each once.
 *
 * The compiler of this repository offers no syntax tree to programs, so this reads the text: comments that fill a line
 * or a block are left out, everything else that looks like an import counts.
 */
export function importedBy(source: string): string[] {
  const found = [...source.replaceAll(comment, '').matchAll(specifier)].map((match) => match[2]);
  return [...new Set(found)];
}

/** Every source file of `src/`, sorted by name. */
export function sourceFiles(): SourceFile[] {
  const names = fs.readdirSync(inPackage('src'), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.m?ts$/.test(name))
    .map((name) => name.split(path.sep).join('/'))
    .toSorted()
    .map((name) => {
      const source = fs.readFileSync(inPackage('src', name), 'utf8');
      const loaded = importedBy(source.replaceAll(typeImport, ''));
      return { name, layer: name.split('/')[0], specifiers: importedBy(source), loaded };
    });
}

/** The file of `src/` that a relative specifier of `from` means, named like `SourceFile.name`. */
export function resolveInSrc(from: SourceFile, relative: string): string {
  const target = path.posix.join(path.posix.dirname(from.name), relative);
  return target.replace(/\.(m?)js$/, '.$1ts');
}

/**
 * The cycles of a graph: one for each edge that closes a loop, as the names along it.
 *
 * @param edges what each node points to; nodes that are not keys are taken as leaves
 */
export function cycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (node: string, trail: readonly string[]): void => {
    if (trail.includes(node)) {
      found.push([...trail.slice(trail.indexOf(node)), node]);
      return;
    }
    if (done.has(node)) return;
    for (const next of edges.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return found;
}
