import { Buffer } from 'node:buffer';
import { cutsCharacter } from '../../core/strings.js';
import { kChunkedBuffer, kChunkedLength } from '../../node/message-state.js';
import { asBuffer } from '../../node/octets.js';
import type { EngineResponse } from '../message.js';

/*
 * Where node makes one chunk of the writes of a tick (`TICKS_ARE_CHUNKS`), they are in its own list until the tick is over: node's code may take the
 * response over in between.
 */

/** node's list has three entries for each write: the data, its encoding and its callback. */
type GatheredPart = string | Uint8Array;
const ENTRIES = 3;

/** The callback of the engine's own writes in the list. */
function nothingToCall(): void {}

/** Keeps a part of `size` octets until its tick is over. */
export function gatherPart(res: EngineResponse, chunk: string | Uint8Array, size: number): void {
  addPart(res, asKept(chunk, size));
  (res[kChunkedLength!] as number) += size;
}

/** Adds the last part to a list that is taken now. */
export function addPart(res: EngineResponse, part: GatheredPart): void {
  (res[kChunkedBuffer!] as unknown[]).push(part, undefined, nothingToCall);
}

/** A part as it is kept until its tick ends. Not the array itself: its memory may grow. That of an array without octets may be gone. */
function asKept(chunk: string | Uint8Array, size: number): string | Uint8Array {
  if (typeof chunk === 'string') return chunk;
  return size === 0 ? '' : asBuffer(chunk);
}

/** The writes of this tick, joined; empty if there were none. */
export function takeGathered(res: EngineResponse): string | Uint8Array {
  const buffer = res[kChunkedBuffer!] as GatheredPart[];
  const joined = joinedText(buffer) ?? joinedOctets(buffer);
  buffer.length = 0;
  res[kChunkedLength!] = 0;
  return joined;
}

/** undefined if a part is not text, or if a character is cut between two parts: the size of the chunk is that of the parts. */
function joinedText(buffer: readonly GatheredPart[]): string | undefined {
  let text = '';
  let before = '';
  for (let at = 0; at < buffer.length; at += ENTRIES) {
    const part = buffer[at];
    if (typeof part !== 'string') return undefined;
    if (part === '') continue;
    if (cutsCharacter(before, part)) return undefined;
    before = part;
    text += part;
  }
  return text;
}

function joinedOctets(buffer: readonly GatheredPart[]): Uint8Array {
  const parts = buffer.filter((_, at) => at % ENTRIES === 0);
  if (parts.length === 1) return parts[0] as Uint8Array;
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/** Whether node's own `write()` has added data with a callback. */
export function hasForeignParts(res: EngineResponse): boolean {
  const buffer = res[kChunkedBuffer!] as unknown[];
  for (let at = ENTRIES - 1; at < buffer.length; at += ENTRIES) if (buffer[at] !== nothingToCall) return true;
  return false;
}
