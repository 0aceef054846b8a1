import { mimeTypes } from '../../core/packages.js';
import path = require('node:path');

/**
 * Extensions for which mime-db 1.52 (Express 4's) has another type than the newer version. A test compares all
 * extensions.
 */
const OTHERS: Readonly<Record<string, string>> = {
  aac: 'audio/x-aac',
  es: 'application/ecmascript',
  fdf: 'application/vnd.fdf',
  hsj2: 'image/hsj2',
  jpgm: 'video/jpm',
  js: 'application/javascript',
  mjs: 'application/javascript',
  mts: 'model/vnd.mts',
  prc: 'application/x-mobipocket-ebook',
  sql: 'application/x-sql',
  wav: 'audio/wave',
  xfdf: 'application/vnd.adobe.xfdf',
};

/** Extensions that mime-db 1.52 does not have. */
const LATER: ReadonlySet<string> = new Set(
  `210 adts aml amlx appinstaller appx appxbundle bary bdo blend brush brushset btf cld cwl dcm dcmp dib dng dpx drm fbx gdraw gform
  ggs gjam gmap gscript gsite ipynb jaii jais jfif jt jxl lottie m2t m2ts m4b mht mhtml msix msixbundle one onea p21 pyo pyox step stp
  stpnc u3d uo usda vdx vsdx vtx wgsl xdcf xhtm xsf`.split(/\s+/),
);

/** The media type of an extension or path in mime-db 1.52; false if unknown. */
export function lookup4(pathOrExtension: string): string | false {
  const extension = path.extname(`x.${pathOrExtension}`).toLowerCase().slice(1);
  if (LATER.has(extension)) return false;
  return Object.hasOwn(OTHERS, extension) ? OTHERS[extension] : mimeTypes().lookup(pathOrExtension);
}

// As media-typer 0.3: names by RFC 6838 §4.2, parameters by RFC 2045 §5.1 with spaces around `;` and `=`.
const NAME = String.raw`[a-z0-9][a-z0-9!#$&^_-]{0,126}`;
const FACETED = String.raw`[a-z0-9][a-z0-9!#$&^_.-]{0,126}`;
const TOKEN = String.raw`[!#$%&'*+.^_\`|~0-9a-z-]+`;
const QUOTED = String.raw`"(?:[ !#-[\]-~\x80-\xff]|\\[ -~])*"`;
const FIELD = new RegExp(
  `^ *(${NAME})/(${FACETED})(\\+(?:${NAME})?)? *(?:; *${TOKEN} *= *(?:${QUOTED}|${TOKEN}) *)*$`,
  'i',
);

/** The most characters of a type or subtype. */
const LENGTH = 127;

/** The media type of a Content-Type field, without parameters; undefined if any part is malformed. */
export function plainType(field: string): string | undefined {
  const [, type, subtype, suffix = ''] = FIELD.exec(field) ?? [];
  if (type === undefined || subtype.length + suffix.length > LENGTH) return undefined;
  return `${type}/${subtype}${suffix === '+' ? '' : suffix}`.toLowerCase();
}
