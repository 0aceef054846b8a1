// Writes the reference: a page for each thing that the package declares, made of the declarations and their comments.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pages } from './model.mjs';
import { place, render } from './page.mjs';

const out = fileURLToPath(new URL('../../reference/api/', import.meta.url));
const found = await pages();
const places = new Map();
for (const page of found) place(page, places);

mkdirSync(out, { recursive: true });
for (const page of found) {
  const file = path.join(out, `${page.name}.md`);
  const text = render(page, places);
  // A page that is the same keeps its time, so that a running server shows what has changed alone.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
const names = new Set(found.map(({ name }) => `${name}.md`));
for (const name of readdirSync(out)) if (!names.has(name)) rmSync(path.join(out, name));
