import { execFile } from 'node:child_process';
import fs = require('node:fs');
import path = require('node:path');
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inPackage, inRepo } from '../../support/paths.js';

const run = promisify(execFile);

export type Framework = 'Express' | 'Nonstop';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** An example with all its dependencies, below `.build/examples/`. */
export interface Installed {
  /** The example's folder for one framework; in Express's folder the name `nonstop` is Express. */
  folder(framework: Framework): string;
}

/**
 * Copies an example to `.build/examples/`, installs its dependencies (including the packed Nonstop), and runs its `build`.
 *
 * @param tarball path of the packed Nonstop
 * @throws {Error} with the output of npm or of the build if one fails
 */
export async function install(name: string, tarball: string): Promise<Installed> {
  const root = inRepo('.build', 'examples', name);
  const express = path.join(root, 'express');
  fs.mkdirSync(root, { recursive: true });
  // Installed packages are kept, so that the next run is faster.
  for (const entry of fs.readdirSync(root)) {
    if (entry !== 'node_modules') fs.rmSync(path.join(root, entry), { recursive: true });
  }
  copy(inRepo('examples', name), root);
  const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;
  const dependencies = { ...manifest.dependencies, nonstop: `file:${tarball}`, express: '5.3.0' };
  fs.writeFileSync(path.join(root, 'package.json'), JSON.stringify({ ...manifest, dependencies }, null, 2));
  await npm(root, 'install', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline', '--include=dev');
  if (manifest.scripts['build'] !== undefined) await npm(root, 'run', 'build');
  copy(root, express);
  fs.mkdirSync(path.join(express, 'node_modules'));
  fs.symlinkSync(path.join(root, 'node_modules', 'express'), path.join(express, 'node_modules', 'nonstop'));
  return { folder: (framework) => (framework === 'Express' ? express : root) };
}

const left = new Set(['node_modules', 'express']);

function copy(from: string, to: string): void {
  fs.mkdirSync(to, { recursive: true });
  for (const entry of fs.readdirSync(from)) {
    if (!left.has(entry)) fs.cpSync(path.join(from, entry), path.join(to, entry), { recursive: true });
  }
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  try {
    // With the tests' `NODE_ENV` npm might not install the packages that build the example.
    const env = { ...process.env, NODE_ENV: undefined, NODE_OPTIONS: '', NEXT_TELEMETRY_DISABLED: '1' };
    await run('npm', args, { cwd, env, maxBuffer: 2 ** 26 });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`npm ${args[0]} in ${cwd}:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** @returns the path of the packed Nonstop */
export async function packed(): Promise<string> {
  const module = pathToFileURL(inRepo('scripts', 'lib', 'pack.mjs')).href;
  const { packFolder } = (await import(module)) as { packFolder(folder: string, to: string): Promise<string> };
  const to = inRepo('.build', 'examples');
  fs.mkdirSync(to, { recursive: true });
  return packFolder(inPackage(''), to);
}
