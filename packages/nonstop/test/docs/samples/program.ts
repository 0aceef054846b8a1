import type { Sample } from './read.js';

/** The Express module that replaces each of Nonstop's entries. */
const expressOf: Readonly<Record<string, string>> = {
  nonstop: 'express',
  'nonstop/v4': 'express4',
  'nonstop/http': 'node:http',
};

/** Names that only Node has: a sample that uses them and nothing of Express is the same program on both. */
export interface Program {
  readonly code: string;
  readonly module: boolean;
}

/**
 * The complete program of a sample.
 *
 * If a sample uses `express` or `app` without defining it, the definition is added. If it does not listen but the page shows an answer,
 * a call of `listen` is added.
 */
export function programOf({ language, code, exchanges }: Sample): Program {
  const module = language === 'ts' || /^\s*(?:import|export)\s/m.test(code);
  const prelude: string[] = [];
  const uses = (name: string): boolean => new RegExp(`(?<![.\\w'])${name}\\b`).test(code);
  const makes = (name: string): boolean => new RegExp(`(?:const|let|var|function|import)\\s+${name}\\b`).test(code);
  const needsApp = !makes('app') && (uses('app') || (exchanges.length > 0 && !/listen\(/.test(code)));
  if (!makes('express') && (uses('express') || needsApp)) {
    prelude.push(module ? "import express from 'nonstop';" : "const express = require('nonstop');");
  }
  if (needsApp) prelude.push('const app = express();');
  const listens = exchanges.length > 0 && !/listen\(/.test(code) ? ['app.listen(3000);'] : [];
  // On one line in front, so that positions in errors are those of the page.
  return { code: `${prelude.join(' ')}${prelude.length > 0 ? '\n' : ''}${[code, ...listens].join('\n')}\n`, module };
}

/** The same program for Express. */
export function onExpress(code: string): string {
  return code.replaceAll(/(['"])(nonstop(?:\/[\w/]+)?)\1/g, (whole, quote: string, entry: string) => {
    const other = expressOf[entry];
    return other === undefined ? whole : quote + other + quote;
  });
}
