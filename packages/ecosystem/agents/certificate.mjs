import { readFileSync } from 'node:fs';
import { inPackage } from '../../../scripts/lib/paths.mjs';

/** The key and the self-signed certificate of the tests, for `localhost`. */
export const certificate = read();

function read() {
  const text = readFileSync(inPackage('test', 'support', 'certificate.ts'), 'utf8');
  const [key, cert] = text.match(/-----BEGIN [^]+?-----END [A-Z ]+-----\n/g) ?? [];
  if (cert === undefined) throw new Error('test/support/certificate.ts has no certificate');
  return { key, cert };
}
