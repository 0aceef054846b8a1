import fs = require('node:fs');
import path = require('node:path');
import { makeFolder } from '../paths.js';
import { page } from './page.js';
import { writeCurves } from './pictures.js';
import { readRecords } from './read.js';

export interface ReportOptions {
  /** Folder of the records. */
  readonly results: string;
  /** Path of the page. */
  readonly out: string;
  /** Folder for the curves as pictures. Default: only the page has them. */
  readonly pictures?: string;
  readonly print: (text: string) => void;
}

/**
 * Makes one page of all records of a folder. The file is written when the page is complete.
 *
 * @throws {Error} when the folder has no record, or the page cannot be written
 */
export function report({ results, out, pictures, print }: ReportOptions): void {
  const reading = readRecords(results);
  for (const line of reading.skipped) print(line);
  if (reading.records.length === 0) {
    throw new Error(
      `There are no records in ${results}. 'npm run lab -- board' or 'npm run lab -- study all' makes some.`,
    );
  }
  const draft = `${out}.${process.pid}.new`;
  const markup = page(reading, new Date());
  try {
    makeFolder(path.dirname(out));
    fs.writeFileSync(draft, markup);
    fs.renameSync(draft, out);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw new Error(`${out} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`, {
      cause: error,
    });
  }
  if (pictures !== undefined) print(`Curves in ${pictures}: ${writeCurves(reading, pictures).join(', ')}`);
  print(`Report of ${reading.records.length === 1 ? '1 record' : `${reading.records.length} records`}: ${out}`);
}
