import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';

/**
 * Whether a certificate fits its key. OpenSSL compares only those of one type: with a certificate of ECDSA and a key of RSA a server
 * starts, and refuses each client. Lists of them are not compared, nor what only OpenSSL can read.
 */
export function keyFits({ key, cert, passphrase }: SecureContextOptions): boolean {
  if (!isText(key) || !isText(cert)) return true;
  const secret = passphrase === undefined ? { key } : { key, passphrase };
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(secret));
  } catch {
    return true;
  }
}

const isText = (value: unknown): value is string | Buffer => typeof value === 'string' || Buffer.isBuffer(value);
