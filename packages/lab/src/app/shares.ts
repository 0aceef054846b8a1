import fs = require('node:fs');
import { createRequire } from 'node:module';
import path = require('node:path');
import { fileURLToPath } from 'node:url';

/** The owners of the code in which a process spends its CPU time. */
export interface Shares {
  /** Express or Nonstop, and its dependencies. */
  readonly framework: number;
  /** Other packages. */
  readonly packages: number;
  /** The application's own files. */
  readonly own: number;
  /** Node: its JavaScript, its C++, its system calls, garbage collection. */
  readonly node: number;
}

/**
 * Sorts samples of a CPU profile by owner.
 *
 * @param hits samples by the URL or path of the script that ran; an empty one is node
 * @param framework names of the packages that count as the framework
 * @param folder the folder of Nonstop, which also counts as the framework: in a checkout it is not in `node_modules`
 * @returns shares that sum up to 1, or undefined if there are too few samples
 */
export function sharesOf(
  hits: Readonly<Record<string, number>>,
  framework: ReadonlySet<string>,
  folder: string,
): Shares | undefined {
  const sums = { framework: 0, packages: 0, own: 0, node: 0 };
  for (const [url, count] of Object.entries(hits)) sums[ownerOf(url, framework, folder)] += count;
  const all = sums.framework + sums.packages + sums.own + sums.node;
  if (all < FEWEST_SAMPLES) return undefined;
  return {
    framework: sums.framework / all,
    packages: sums.packages / all,
    own: sums.own / all,
    node: sums.node / all,
  };
}

/** With fewer samples a share is a guess. */
const FEWEST_SAMPLES = 50;

function ownerOf(url: string, framework: ReadonlySet<string>, folder: string): keyof Shares {
  if (url === '') return 'node';
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  if (file.startsWith(folder + path.sep)) return 'framework';
  const name = packageOf(file);
  if (name === undefined) return 'own';
  return framework.has(name) ? 'framework' : 'packages';
}

/** The package that a file belongs to, by the last `node_modules` in its path. */
function packageOf(file: string): string | undefined {
  const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
  return name?.replaceAll('\\', '/');
}

/**
 * The names of a package and all its dependencies.
 *
 * @param name such as `express`
 * @param from a file that requires it
 */
export function withDependencies(name: string, from: string): Set<string> {
  const found = new Set<string>();
  const visit = (wanted: string, file: string): void => {
    const manifest = manifestOf(wanted, file);
    if (manifest === undefined || found.has(wanted)) return;
    found.add(wanted);
    const { dependencies = {} } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { dependencies?: object };
    for (const dependency of Object.keys(dependencies)) visit(dependency, manifest);
  };
  visit(name, from);
  return found;
}

/** The path of a package's manifest, found by node's algorithm: the package's `exports` may hide it from `require`. */
function manifestOf(name: string, from: string): string | undefined {
  const places = createRequire(from).resolve.paths(name) ?? [];
  return places.map((place) => path.join(place, name, 'package.json')).find((file) => fs.existsSync(file));
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** The shares in one line. */
export function sharesLine(contestant: string, { framework, packages, own, node }: Shares): string {
  return (
    `Of the CPU time under ${contestant}, ${percent(framework)} is the framework's, ${percent(own)} the application's own code, ` +
    `${percent(packages)} other packages', ${percent(node)} Node's and the system's.`
  );
}
