import { mimeOf } from '../../../files/v4/mime.js';
import { formatBy } from '../../response/negotiate.js';
import type { Res } from '../../response/shape.js';

/** Calls the handler whose type the request accepts best, as `res.format` of Express 5. */
export function format(this: Res, obj: Record<string, never>): Res {
  return formatBy(mediaTypeOf, this, obj);
}

/** The media type, without parameters, of a key of `res.format`: an extension or a type. */
function mediaTypeOf(key: string): string {
  return key.includes('/') ? key.split(/ *; */)[0] : mimeOf(key);
}
