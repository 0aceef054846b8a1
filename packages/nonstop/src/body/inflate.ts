import type { Transform } from 'node:stream';
import type { DebugLog } from '../core/debug-log.js';
import { lazy } from '../core/lazy.js';
import { unsupportedCoding } from './errors.js';

/** Node has zstd from 22.15 and 23.8 on; its types do not know that here. */
type Zlib = typeof import('node:zlib') & { createZstdDecompress?: () => Transform };

const zlib = lazy(() => require('node:zlib') as Zlib);

/**
 * The stream that undoes a content coding.
 *
 * @param coding the Content-Encoding field in lower case; a list of several is not undone
 * @param log is told which stream it is
 * @throws HttpError 415 for a coding that this node does not have
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
