import type { Sample } from './read.js';

/** What a sample stands for on Express, by the entry that it names. */
const expressOf: Readonly<Record<string, string>> = {
  nonstop: 'express',
  'nonstop/v4': 'express4',
  'nonstop/http': 'node:http',
};

/** What only Node has: a sample that names it and nothing of Express is the same program on both. */
export interface Program {
  readonly code: string;
  readonly module: boolean;
}

/**
 * The whole program that a sample is a part of.
 *
 * A sample that uses `express` or `app` and does not make them gets them, and one that asks for nothing to listen listens when the page
 * shows an answer.
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
  // In front, on one line: places in errors are those of the page.
  return { code: `${prelude.join(' ')}${prelude.length > 0 ? '\n' : ''}${[code, ...listens].join('\n')}\n`, module };
}

/** The same program on Express. */
export function onExpress(code: string): string {
  return code.replaceAll(/(['"])(nonstop(?:\/[\w/]+)?)\1/g, (whole, quote: string, entry: string) => {
    const other = expressOf[entry];
    return other === undefined ? whole : quote + other + quote;
  });
}
