import fs = require('node:fs');
import { wallClockNow } from '../core/clock.js';
import { isReplaced } from './replaced.js';

/** The part of a file's stat that changes with the file. No program can set ctime. */
type Identity = Pick<fs.Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>;

/** The fields by which a client asks whether a file has changed (RFC 9110 §8.8). */
export interface Validators {
  readonly lastModified: string;
  readonly etag: string;
}

/** A file in memory. */
interface Kept extends Identity, Validators {
  /** Its own memory, which several responses may send at a time. */
  readonly content: Buffer;
  /** Its place among all files that were kept, from 1 on; 0 once a stat that began later has found the same file. */
  unproved: number;
  /** When it was read, in milliseconds of the wall clock. */
  readonly readAt: number;
}

/** The most octets of one generation; there are two. */
const GENERATION = 4 * 1024 * 1024;

/** What a file takes besides its content, in octets: its name, fields and objects. Without it the number of empty files would have no limit. */
const BESIDES = 768;

/**
 * A file that has changed within this time, in milliseconds, is not kept: a further change could have the same
 * timestamps, which are as coarse as the system's clock tick (a second on some file systems).
 */
const SETTLED = 2000;

/**
 * The content may be of another file than the stat, if a link or a folder was switched between the two. A later stat shows that, unless the
 * link is switched back by then. No deployment is rolled back within this time, in milliseconds.
 */
const PROVED_WITHIN = 10_000;

/**
 * File systems of Linux whose stat tells of each change at once (`statfs(2)`): ext2 to ext4, XFS, Btrfs, F2FS, ZFS, bcachefs, tmpfs,
 * overlayfs, SquashFS, EROFS. A network's or a FUSE file system may answer a stat from a cache of its own.
 */
const LOCAL = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x01021994, 0x794c7630, 0x73717368, 0xe0f5e1e2,
]);

let young = new Map<string, Kept>();
let old = new Map<string, Kept>();
let octets = 0;
let kept = 0;

/** How many files were kept so far: a stat that begins now can prove these, and none that is kept later. */
export const keptSoFar = (): number => kept;

/** Whether a device holds a file system of {@link LOCAL}; undefined while the system is asked. */
const devices = new Map<number, boolean | undefined>();

/**
 * The content and validators of a file that has not changed since it was read.
 *
 * Entries that are used move to the young generation; when that is full it becomes the old one, and the old one is dropped.
 * So nothing is deleted one by one, and 8 MiB is the most that is kept.
 *
 * @param before {@link keptSoFar} when this stat began
 */
export function keptFile(file: string, stat: fs.Stats, before: number): Kept | undefined {
  const found = young.get(file) ?? old.get(file);
  if (found === undefined || !isSame(found, stat) || isReplaced()) return undefined;
  if (found.unproved !== 0 && !proves(found, before)) return undefined;
  if (old.delete(file)) add(file, found);
  return found;
}

function proves(found: Kept, before: number): boolean {
  if (before < found.unproved || !isNew(found)) return false;
  found.unproved = 0;
  return true;
}

const isNew = ({ readAt }: Kept): boolean => wallClockNow() - readAt <= PROVED_WITHIN;

function isSame(one: Identity, other: Identity): boolean {
  return (
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.ino === other.ino &&
    one.size === other.size &&
    one.dev === other.dev
  );
}

/**
 * Keeps a file's content for requests to come, if its next stat will tell whether it has changed.
 *
 * @param content read after this stat was made, by functions of node's own
 * @param readAt when reading began, in milliseconds of the wall clock
 */
export function keepFile(file: string, stat: fs.Stats, content: Buffer, readAt: number): void {
  if (content.length !== stat.size || readAt - Math.max(stat.mtimeMs, stat.ctimeMs) < SETTLED) return;
  if (isReplaced() || !isLocal(file, stat.dev)) return;
  // Of simultaneous requests the first keeps the file: otherwise each would replace the entry, and with it the proof, of another.
  const found = young.get(file) ?? old.get(file);
  if (found !== undefined && isSame(found, stat) && isNew(found)) return;
  const { dev, ino, size, mtimeMs, ctimeMs } = stat;
  const more = { content: ownMemory(content), unproved: ++kept, readAt };
  add(file, { dev, ino, size, mtimeMs, ctimeMs, ...validatorsOf(stat), ...more });
}

const taken = (one: Kept | undefined): number => (one === undefined ? 0 : one.size + BESIDES);

function add(file: string, one: Kept): void {
  const before = young.get(file);
  octets += taken(one) - taken(before);
  if (octets > GENERATION) {
    old = young;
    young = new Map();
    octets = taken(one);
  }
  young.set(file, one);
}

/** Whether a device is known to hold one of the file systems of {@link LOCAL}. The first file of a device asks the system. */
function isLocal(file: string, dev: number): boolean {
  const known = devices.get(dev);
  if (known !== undefined || devices.has(dev)) return known === true;
  devices.set(dev, undefined);
  fs.statfs(file, (error, found) => {
    if (error === null) devices.set(dev, process.platform === 'linux' && LOCAL.has(found.type));
    else devices.delete(dev);
  });
  return false;
}

/** A copy, unless the octets fill their memory: a slice would keep a whole pool of 8 or 64 KiB. */
function ownMemory(content: Buffer): Buffer {
  if (content.length === content.buffer.byteLength) return content;
  const copy = Buffer.allocUnsafeSlow(content.length);
  content.copy(copy);
  return copy;
}

/** As the `send` package makes them. */
export function validatorsOf({ size, mtime }: fs.Stats): Validators {
  return {
    lastModified: mtime.toUTCString(),
    etag: `W/"${size.toString(16)}-${mtime.getTime().toString(16)}"`,
  };
}
