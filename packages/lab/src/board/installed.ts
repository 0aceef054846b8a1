import fs = require('node:fs');
import path = require('node:path');
import { repoRoot } from '../paths.js';
import type { FigureBench } from './figures.js';

interface Manifest {
  readonly name: string;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Files that npm always publishes, independent of `files`. */
const always = /^(package\.json|readme|licen[cs]e)/i;

/**
 * Counts the bytes and packages of an installation of Express and of Nonstop, with all dependencies, without source maps,
 * which only debuggers read. It counts the packages installed here, so it needs no network.
 */
export function installedSizes(bench: FigureBench): void {
  const roots = {
    'Express 5': path.join(repoRoot, 'node_modules', 'express'),
    Nonstop: path.join(repoRoot, 'packages', 'nonstop'),
  };
  for (const [contestant, root] of Object.entries(roots)) {
    const folders = closure(root);
    const size = folders.reduce((sum, folder) => sum + (folder === root ? publishedSize(folder) : sizeOf(folder)), 0);
    const identity = { row: bench.row, contestant, node: bench.node.version, round: 0 };
    bench.onFigure({ ...identity, figure: 'size', unit: 'bytes', value: size });
    bench.onFigure({ ...identity, figure: 'packages', unit: '', value: folders.length });
  }
}

/**
 * The folders of a package and all its dependencies, each once.
 *
 * @throws {Error} when a dependency is not installed
 */
export function closure(root: string): string[] {
  const found = new Set([fs.realpathSync(root)]);
  for (const folder of found) {
    const { dependencies = {} } = manifestOf(folder);
    for (const name of Object.keys(dependencies)) found.add(resolve(name, folder));
  }
  return [...found];
}

/** Node's lookup of a package: upwards from folder to folder. */
function resolve(name: string, from: string): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, 'node_modules', name);
    if (fs.existsSync(path.join(candidate, 'package.json'))) return fs.realpathSync(candidate);
    if (folder === path.dirname(folder)) throw new Error(`${name}, which ${from} depends on, is not installed`);
  }
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

/** The bytes that npm would publish; a checkout has more files. */
function publishedSize(folder: string): number {
  const { files } = manifestOf(folder);
  if (files === undefined) return sizeOf(folder);
  const published = [...files, ...fs.readdirSync(folder).filter((name) => always.test(name))];
  return published.reduce((sum, name) => sum + sizeOf(path.join(folder, name)), 0);
}

/** The bytes of all files below a path, without source maps and without nested packages, which are counted separately. */
function sizeOf(place: string): number {
  const stat = fs.statSync(place);
  if (stat.isFile()) return place.endsWith('.map') ? 0 : stat.size;
  const names = fs.readdirSync(place).filter((name) => name !== 'node_modules');
  return names.reduce((sum, name) => sum + sizeOf(path.join(place, name)), 0);
}
