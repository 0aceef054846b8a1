import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');

/** Octets: Linux limits an argument to less than 128 KB. */
const longest = 100_000;

/**
 * Passes a text to another program: directly if it is short, in a temporary file if it is too long for a command line, or has a NUL, which
 * ends an argument.
 *
 * @param work gets the text, or the path of a file with it
 */
export async function handedOver<T>(
  text: string,
  work: (how: { readonly text: string } | { readonly file: string }) => Promise<T>,
): Promise<T> {
  if (Buffer.byteLength(text) < longest && !text.includes('\0')) return work({ text });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nonstop-bench-'));
  try {
    const file = path.join(folder, 'text');
    fs.writeFileSync(file, text);
    return await work({ file });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
