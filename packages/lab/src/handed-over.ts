import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');

/** Linux takes no argument of 128 KB and more. */
const longest = 100_000;

/**
 * Hands a text over to another program: by itself where it is short, and by a file that is gone afterwards where it is too
 * long for a command line.
 *
 * @param work takes the text, or else the path of a file that holds it
 */
export async function handedOver<T>(
  text: string,
  work: (how: { readonly text: string } | { readonly file: string }) => Promise<T>,
): Promise<T> {
  if (text.length < longest) return work({ text });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-bench-'));
  try {
    const file = path.join(folder, 'text');
    fs.writeFileSync(file, text);
    return await work({ file });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
