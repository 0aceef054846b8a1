import { readFileSync } from 'node:fs';
import path = require('node:path');
import { mimeTypes } from '../../core/packages.js';
import type { Mime } from '../../types/v4/application.js';
import { expressPlaces } from '../express-places.js';

/** Extensions that mime 1.6 gives another type than the newer mime-db. A test compares all. */
const OTHERS: Readonly<Record<string, string>> = {
  aac: 'audio/x-aac',
  asc: 'application/pgp-signature',
  deb: 'application/octet-stream',
  dll: 'application/octet-stream',
  dmg: 'application/octet-stream',
  emf: 'application/x-msmetafile',
  exe: 'application/octet-stream',
  fdf: 'application/vnd.fdf',
  hjson: 'text/hjson',
  ico: 'image/x-icon',
  iso: 'application/octet-stream',
  jpgm: 'video/jpm',
  js: 'application/javascript',
  mjs: 'application/javascript',
  mpp: 'application/vnd.ms-project',
  msi: 'application/octet-stream',
  mts: 'model/vnd.mts',
  obj: 'application/x-tgif',
  pcx: 'image/x-pcx',
  prc: 'application/x-mobipocket-ebook',
  rar: 'application/x-rar-compressed',
  sql: 'application/x-sql',
  stl: 'application/vnd.ms-pki.stl',
  wmf: 'application/x-msmetafile',
  x3db: 'model/x3d+binary',
  x3dv: 'model/x3d+vrml',
  xfdf: 'application/vnd.adobe.xfdf',
  xlf: 'application/x-xliff+xml',
};

/** Extensions that mime 1.6 does not know. */
const LATER: ReadonlySet<string> = new Set(
  `1km 210 3mf adts age aml amlx amr appinstaller appx appxbundle atomdeleted avci avcs avif azv b16 bary bdo blend bmml brush brushset bsp
  btf cdfx cjs cld cpl csl cwl dbf dcm dcmp ddf dds dib disposition-notification dng dpx drle drm dwd emotionml exp exr fbx fdt fits fo
  gdraw ged gform ggs gjam gmap gscript gsite heic heics heif heifs hej2 held ipynb its jaii jais jfif jhc jls jph jt jxl jxr jxra jxrs
  jxs jxsc jxsi jxss kdbx key ktx2 lgr lottie m2t m2ts m4b m4s maei mdx mht mhtml mpf msix msixbundle mtl musd mvt mxmf nq nt numbers obgx
  ogex one onea opus osm owl p21 pages provx pti pyo pyox rapd relo rsat rsheet rusd senmlx sensmlx shex sieve siv sls spdx step stp stpnc
  stpx stpxz stpz swidtag t38 tap td tfx toml trig ttml u3d u8dsn u8hdr u8mdn u8msg ubj uo usda usdz vds vdx vsdx vtf vtx wgsl wif wsc x_b
  x_t xav xca xcs xdcf xel xhtm xns xsf`.split(/\s+/),
);

/** Types whose first extension differs in mime 1.6. */
const FIRST: Readonly<Record<string, string>> = {
  'application/pgp-signature': 'asc',
  'image/jpeg': 'jpeg',
  'image/tiff': 'tiff',
  'text/markdown': 'markdown',
};

/** A table of media types, with the methods of one of `mime` 1. */
class MediaTypes implements Mime {
  types = Object.create(null) as Record<string, string>;
  extensions = Object.create(null) as Record<string, string>;
  default_type = 'application/octet-stream';
  readonly Mime = MediaTypes;
  readonly charsets = {
    lookup: (type: string, fallback?: string) =>
      (/^text\/|^application\/(?:javascript|json)/.test(type) ? 'UTF-8' : fallback) as string,
  };

  /** Adds extensions by their types. The last type of an extension counts, and the first extension of a type. */
  define(added: Record<string, string[]>): void {
    for (const [type, extensions] of Object.entries(added)) {
      for (const extension of extensions) this.types[extension] = type;
      this.extensions[type] ||= extensions[0];
    }
  }

  /** Adds the types of a file in the format of Apache's `mime.types`. */
  load(file: string): void {
    const added: Record<string, string[]> = {};
    for (const line of readFileSync(file, 'latin1').split(/[\r\n]+/)) {
      const [type, ...extensions] = line.replace(/#.*/, '').trim().split(/\s+/);
      if (type !== '') added[type] = extensions;
    }
    this.define(added);
  }

  /** The type of an extension or path. */
  lookup(path: string, fallback?: string): string {
    const extension = path.replace(/^.*[./\\]/, '').toLowerCase();
    return this.types[extension] || fallback || this.default_type;
  }

  /** The first extension of a type, which may have parameters. */
  extension(type: string): string | undefined {
    return this.extensions[type.split(';', 1)[0].trim().toLowerCase()];
  }
}

/** The types of `mime` 1.6, made of those that Express 5 has. */
function ofMime1(): MediaTypes {
  const table = new MediaTypes();
  const { types, extensions } = mimeTypes();
  for (const [extension, type] of Object.entries(types))
    if (!LATER.has(extension)) table.types[extension] = OTHERS[extension] ?? type;
  for (const [type, known] of Object.entries(extensions))
    for (const extension of known) if (table.types[extension] === type) table.extensions[type] ??= extension;
  for (const [extension, type] of Object.entries(OTHERS)) table.extensions[type] ??= extension;
  Object.assign(table.extensions, FIRST);
  return table;
}

/** Nonstop's table; made on first use. */
let ownTable: Mime | undefined;

/** The `mime` 1 of an installed Express 4 that Nonstop replaces, once it is loaded. */
let installed: Mime | undefined;

interface InstalledMime {
  readonly file: string;
  readonly require: NodeJS.Require;
}

/** Where that is; null if there is none. */
let installedAt: InstalledMime | null | undefined;

/** The media types of Express 4: those of `mime` 1, to which an application may add. One table for all that looks a type up. */
export function mime(): Mime {
  return findInstalled(false) ?? (ownTable ??= ofMime1());
}

/** The same for a program that reads it. If Nonstop replaces an installed Express, the `mime` of that Express is loaded. */
export function programsMime(): Mime {
  return findInstalled(true) ?? mime();
}

/**
 * Programs add types to the `mime` that they share with Express 4 (`require('send').mime`). Before it is loaded no program can have changed it,
 * and Nonstop's own table has the same types.
 */
function findInstalled(loads: boolean): Mime | undefined {
  if (installed !== undefined || expressPlaces.size === 0) return installed;
  if (installedAt === undefined) {
    const place = [...expressPlaces.values()].find(({ major }) => major === 4);
    if (place === undefined) return undefined;
    installedAt = placeOfMime(place.require);
  }
  if (installedAt === null) return undefined;
  const { file, require } = installedAt;
  const found = (loads ? require(file) : require.cache[file]?.exports) as Partial<Mime> | undefined;
  // Other major versions have no such methods.
  if (typeof found?.lookup === 'function' && found.charsets !== undefined) installed = found as Mime;
  return installed;
}

/** Express 4 gets it from `send`. */
function placeOfMime(require: NodeJS.Require): InstalledMime | null {
  try {
    const file = require.resolve('mime', { paths: [path.dirname(require.resolve('send'))] });
    return { file, require };
  } catch {
    return null;
  }
}

/** The most common types; they do not load the table. */
const COMMON: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html'],
  ['json', 'application/json'],
  ['txt', 'text/plain'],
  ['text', 'text/plain'],
  ['bin', 'application/octet-stream'],
]);

/** The media type of an extension or path, without parameters; `application/octet-stream` if unknown. */
export function mimeOf(pathOrExtension: string): string {
  // A loaded table may have been changed by the application.
  const common = ownTable === undefined && findInstalled(false) === undefined ? COMMON.get(pathOrExtension) : undefined;
  return common ?? mime().lookup(pathOrExtension);
}
