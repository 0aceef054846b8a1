import type { Transform } from 'node:stream';
import type { DebugLog } from '../core/debug-log.js';
import { onFirstUse } from '../core/lazy.js';
import { unsupportedCoding } from './errors.js';

/** Node has zstd since 22.15 and 23.8; the types in use do not have it. */
type Zlib = typeof import('node:zlib') & { createZstdDecompress?: () => Transform };

const zlib = onFirstUse(() => require('node:zlib') as Zlib);

/**
 * A stream that decodes a content coding.
 *
 * @param coding the Content-Encoding field in lower case; a list of several codings is refused
 * @param log gets the name of the stream
 * @throws HttpError 415 for a coding that this Node cannot decode
 */
export function inflater(coding: string, log: DebugLog): Transform {
  switch (coding) {
    case 'gzip':
      log('gunzip body');
      return zlib().createGunzip();
    case 'deflate':
      log('inflate body');
      return zlib().createInflate();
    case 'br':
      log('brotli decompress body');
      return zlib().createBrotliDecompress();
    case 'zstd': {
      const { createZstdDecompress } = zlib();
      if (createZstdDecompress === undefined) break;
      log('zstd decompress body');
      return createZstdDecompress();
    }
  }
  throw unsupportedCoding(coding);
}
