import type { Socket } from 'node:net';
import { defineOwn } from '../../core/define-own.js';
import { DRAIN_MEANS_EMPTY } from '../../node/differences.js';
import { NodeResponse } from '../../node/classes.js';
import {
  kCorked,
  kHighWaterMark,
  kNeedDrain,
  kOutHeaders,
  kRejectNonStandardBodyWrites,
  kSocket,
  kUniqueHeaders,
} from '../../node/message-state.js';
import type { FieldValue } from './field-value.js';
import { storedFields } from './field-list.js';
import { kFields, kPending, type EngineResponse, Life, kConnection, kLife, kRequest, messageOf } from '../message.js';

/**
 * Leaves a response to node's own code. It already has all of node's state, except the fields and the list of waiting
 * data, which are set here.
 *
 * @param holder the response, or an object that inherits from it
 */
export function becomeNode(holder: EngineResponse): void {
  if (holder[kLife] !== Life.Lean) return;
  const res = messageOf(holder) as EngineResponse;
  // As under node, fields that were set on such an object while the response had none are its own.
  if (res !== holder && Object.hasOwn(holder, kFields)) defineOwn(holder, kOutHeaders!, nodeFields(holder));
  res[kLife] = Life.Node;
  if (!Object.hasOwn(res, kOutHeaders!)) defineOwn(res, kOutHeaders!, nodeFields(res));
  defineOwn(res, 'outputData', []);
}

/**
 * Makes a new response with node's constructor, for observers of it or of replaced methods.
 *
 * @returns the engine's listener for `'finish'`, which node adds when the response has its place
 */
export function makeNodes(res: EngineResponse): () => void {
  const { shouldKeepAlive, _keepAliveTimeout, _maxRequestsPerSocket, _onPendingData } = res;
  const options = {
    highWaterMark: res[kHighWaterMark],
    rejectNonStandardBodyWrites: res[kRejectNonStandardBodyWrites],
  };
  const uniqueHeaders = res[kUniqueHeaders!];
  const hears = (res._events as { finish: () => void }).finish;
  res._events = undefined;
  res[kLife] = Life.Node;
  Reflect.apply(NodeResponse, res, [res[kRequest], options]);
  Object.assign(res, { shouldKeepAlive, _keepAliveTimeout, _maxRequestsPerSocket, _onPendingData });
  res[kUniqueHeaders!] = uniqueHeaders;
  return hears;
}

/** The accessor of node's fields: code that reads them sets fields next, or makes the head from them. */
export function openFields(res: EngineResponse): void {
  if (res[kLife] === Life.Lean) becomeNode(res);
  else defineOwn(res, kOutHeaders!, nodeFields(res));
}

/**
 * The accessor of the waiting data: code that reads it writes next. A response that waits for its turn is node's from
 * then on.
 */
export function openOutput(res: EngineResponse): void {
  if (res[kLife] === Life.Lean) becomeNode(res);
  else defineOwn(res, 'outputData', takeAnswer(res));
}

/** The state that node's `end()` leaves on a response that has to wait. */
function takeAnswer(res: EngineResponse): EngineResponse['outputData'] {
  const answer = res[kPending];
  if (answer === null) return [];
  res[kPending] = null;
  res[kLife] = Life.Node;
  const { text, utf8, body } = answer;
  const output = [{ data: text as unknown, encoding: utf8 ? 'utf8' : 'latin1', callback: null as unknown }];
  if (body !== null) output.push({ data: body, encoding: 'buffer', callback: null });
  output.push({ data: '', encoding: 'latin1', callback: res[kConnection].outbox.sent });
  return output;
}

/** Fields as node stores them: name and value under the name in lower case. */
function nodeFields(res: EngineResponse): object | null {
  // Once a field was set there are fields, also when all were removed: `writeHead()` stores its own then.
  if (res[kFields] === null) return null;
  const stored = Object.create(null) as Record<string, [string, FieldValue]>;
  for (const { field, name, value } of storedFields(res)) stored[field.key] = [name, value];
  return stored;
}

/** The turn of `res` has begun or ended. */
export function setSocket(res: EngineResponse, socket: Socket | null): void {
  // node's accessor lets go of the corks that the response has had of the socket.
  if (kSocket === undefined || res[kCorked] !== 0) (res as { socket: Socket | null }).socket = socket;
  else res[kSocket] = socket;
}

/** Whether it is the turn of `res`, and it still has the socket. */
export function hasSocket(res: EngineResponse): boolean {
  return (kSocket === undefined ? res.socket : res[kSocket]) !== null;
}

/** The socket has room again: emits `'drain'` if a writer waits for it. */
export function tellDrained(res: EngineResponse): void {
  if (res.finished || !res[kNeedDrain]) return;
  if (DRAIN_MEANS_EMPTY && res.writableLength !== 0) return;
  res[kNeedDrain] = false;
  res.emit('drain');
}

/** Arguments for a method of node's, which a program may have replaced by one that counts them: as many as the caller gave. */
export function counted(count: number, ...all: unknown[]): unknown[] {
  return all.slice(0, count);
}
