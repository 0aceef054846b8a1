import fs = require('node:fs');
import path = require('node:path');
import { inRepo } from '../../support/paths.js';

/** A request on a page, and the answer below it. */
export interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly status: string;
  /** The fields that the page shows; an answer may have more. */
  readonly answerFields: readonly (readonly [name: string, value: string])[];
  /** Undefined if the page shows no body. */
  readonly answerBody: string | undefined;
}

/** A fenced block of a page that is a program, with its comments and expected output. */
export interface Sample {
  /** Path of the page, from docs/. */
  readonly page: string;
  /** Line number of the block's first line of code, in the page. */
  readonly line: number;
  readonly language: 'js' | 'ts';
  readonly code: string;
  /** Contents by name: the named blocks above it on this page, such as `html [views/index.html]`. */
  readonly files: Readonly<Record<string, string>>;
  /** Why it is not run, or why only on Nonstop. */
  readonly notRun: string | undefined;
  readonly onNonstopAlone: string | undefined;
  readonly exchanges: readonly Exchange[];
  /** The expected output. */
  readonly prints: string | undefined;
}

interface Block {
  readonly language: string;
  readonly name: string | undefined;
  readonly mark: string | undefined;
  readonly line: number;
  readonly text: string;
}

/** All pages below docs/, by their path from there. */
export function pages(): string[] {
  return fs
    .readdirSync(inRepo('docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => name.endsWith('.md') && !/(?:^|\/)(?:node_modules|\.vitepress)\/|^reference\/api\//.test(name))
    .toSorted();
}

/**
 * The samples of a page.
 *
 * Each block of `js` or `ts` is one. The `http` and `text` blocks that follow are its expected answers and output. A comment before
 * the block says why it is not run, `<!-- sample: not run, … -->`, or why Express cannot run it, `<!-- sample: on Nonstop alone, … -->`.
 *
 * @throws {Error} for a comment of another form, and for an `http` block that does not hold requests with their answers
 */
export function samplesOf(page: string, markdown: string): Sample[] {
  const samples: Sample[] = [];
  const files: Record<string, string> = {};
  for (const block of blocksOf(markdown)) {
    const { language, name, text, line } = block;
    const last = samples.at(-1);
    if (name !== undefined) files[name] = `${text}\n`;
    else if (language === 'js' || language === 'ts') {
      const where = { page, line, language, code: text, files: { ...files } } as const;
      samples.push({ ...where, ...readMark(block, page), exchanges: [], prints: undefined });
    } else if (last !== undefined && language === 'http') {
      samples.splice(-1, 1, { ...last, exchanges: [...last.exchanges, ...exchangesOf(text, `${page}:${line}`)] });
    } else if (last !== undefined && language === 'text' && block.mark === undefined) {
      samples.splice(-1, 1, { ...last, prints: text });
    }
  }
  return samples;
}

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  let mark: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, indent, language, meta] = /^(\s*)```(\w+)(.*)$/.exec(line) ?? [];
    if (indent === undefined || language === undefined) {
      if (line.trim() !== '') mark = /^<!-- sample: (.*) -->$/.exec(line.trim())?.[1];
      continue;
    }
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    const inside = lines.slice(at + 1, end).map((text) => text.slice(indent.length));
    const name = /\[([^\]]+)\]/.exec(meta ?? '')?.[1];
    blocks.push({ language, name, mark, line: at + 2, text: inside.join('\n') });
    mark = undefined;
    at = end;
  }
  return blocks;
}

function readMark({ mark, line }: Block, page: string): Pick<Sample, 'notRun' | 'onNonstopAlone'> {
  if (mark === undefined) return { notRun: undefined, onNonstopAlone: undefined };
  const [, what, reason] = /^(not run|on Nonstop alone), (.+)$/.exec(mark) ?? [];
  if (what === undefined)
    throw new Error(`${page}:${line}: 'not run, reason' or 'on Nonstop alone, reason', not '${mark}'`);
  return what === 'not run'
    ? { notRun: reason, onNonstopAlone: undefined }
    : { notRun: undefined, onNonstopAlone: reason };
}

/** Reads an `http` block: requests, each followed by its answer. */
function exchangesOf(text: string, where: string): Exchange[] {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, at) => (/^[A-Z-]+ [/*]/.test(line) ? [at] : []));
  if (starts[0] !== 0) throw new Error(`${where}: an http block begins with a request, such as GET /`);
  return starts.map((start, number) => exchangeOf(lines.slice(start, starts[number + 1]), where));
}

function exchangeOf(lines: readonly string[], where: string): Exchange {
  const answerAt = lines.findIndex((line) => /^HTTP\/1\.1 \d{3}/.test(line));
  if (answerAt < 0) throw new Error(`${where}: no answer for ${lines[0]}`);
  const request = messageOf(lines.slice(0, answerAt));
  const answer = messageOf(lines.slice(answerAt));
  const [method = '', target = ''] = request.first.split(' ');
  const { fields, body = '' } = request;
  const status = answer.first.slice('HTTP/1.1 '.length);
  return { method, target, fields, body, status, answerFields: answer.fields, answerBody: answer.body };
}

interface Message {
  readonly first: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

function messageOf(lines: readonly string[]): Message {
  const end = lines.indexOf('');
  const head = end < 0 ? lines : lines.slice(0, end);
  const [first = '', ...fields] = head;
  const body =
    end < 0
      ? ''
      : lines
          .slice(end + 1)
          .join('\n')
          .trim();
  const pairs = fields.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
  });
  return { first, fields: pairs, body: body === '' ? undefined : body };
}
