import { lazy } from '../../../core/lazy.js';
import { host } from '../../../http/host.js';
import { sendJson, sendJsonp } from '../../response/json.js';
import { get } from '../../response/fields.js';
import { HTML } from '../../response/media-type.js';
import { CONTENT_TYPE, isUnpatched, respond, setBytesType, type Sending } from '../../response/send.js';
import type { Res } from '../../response/shape.js';
import { reason } from '../../response/status.js';
import { contentType, header } from './fields.js';
import { typeInUtf8 } from './media-type.js';

const deprecate = lazy(() => (require('depd') as typeof import('depd'))('express'));

/** How Express 4 sends. */
const sending4: Sending = {
  set: header,
  get,
  type: contentType,
  send,
  measuresChunked: true,
  setNotModified: (res) => (res.statusCode = 304),
};

/** Sends a body as `res.send` of Express 5. With two arguments one is the status; a number alone is a status too. */
export function send(this: Res, first?: unknown, second?: unknown): Res {
  let body = first;
  if (arguments.length === 2) {
    if (typeof first !== 'number' && typeof second === 'number') {
      deprecate()('res.send(body, status): Use res.status(status).send(body) instead');
      this.statusCode = second;
    } else {
      deprecate()('res.send(status, body): Use res.status(status).send(body) instead');
      this.statusCode = first as number;
      body = second;
    }
  } else if (typeof body === 'number' && arguments.length === 1) {
    if (!this.get('Content-Type')) this.type('txt');
    deprecate()('res.send(status): Use res.sendStatus(status) instead');
    this.statusCode = body;
    body = reason(body);
  }
  return sendBody(this, body);
}

function sendBody(res: Res, body: unknown): Res {
  switch (typeof body) {
    case 'string':
      if (isUnpatched(sending4, res)) setTextType(res);
      else setTextTypeByMethods(res);
      return respond(sending4, res, body, 'utf8');
    case 'boolean':
    case 'number':
      return res.json(body);
    case 'object':
      if (body === null) return sendNothing(res);
      if (!Buffer.isBuffer(body)) return res.json(body);
      setBytesType(sending4, res);
      return respond(sending4, res, body, undefined);
    default:
      return respond(sending4, res, body, undefined);
  }
}

/** null is sent as an empty text without a Content-Type. */
function sendNothing(res: Res): Res {
  nameUtf8(res);
  return respond(sending4, res, '', 'utf8');
}

/** An empty field counts as none; a list, or a number, stays as it is. */
function setTextType(res: Res): void {
  const field = host.getKnown(res, CONTENT_TYPE);
  if (!field) host.setKnown(res, CONTENT_TYPE, HTML);
  else if (typeof field === 'string') host.setKnown(res, CONTENT_TYPE, typeInUtf8(field));
}

/** A replaced method may set any type, so the type is checked again. */
function setTextTypeByMethods(res: Res): void {
  if (!res.get('Content-Type')) res.type('html');
  nameUtf8(res);
}

function nameUtf8(res: Res): void {
  const field = res.get('Content-Type');
  if (typeof field === 'string') res.set('Content-Type', typeInUtf8(field));
}

/** Sends the JSON of a value. A status may be given before it or, as a number, after it. */
export const answerJson = function json(this: Res, first: unknown, second?: unknown): Res {
  let value = first;
  if (arguments.length === 2) {
    if (typeof second === 'number') {
      deprecate()('res.json(obj, status): Use res.status(status).json(obj) instead');
      this.statusCode = second;
    } else {
      deprecate()('res.json(status, obj): Use res.status(status).json(obj) instead');
      this.statusCode = first as number;
      value = second;
    }
  }
  return sendJson(sending4, this, value);
};

/** Sends JSON or, if the query names a callback, a script; a status as with `res.json`. */
export function jsonp(this: Res, first: unknown, second?: unknown): Res {
  let value = first;
  if (arguments.length === 2) {
    if (typeof second === 'number') {
      deprecate()('res.jsonp(obj, status): Use res.status(status).jsonp(obj) instead');
      this.statusCode = second;
    } else {
      deprecate()('res.jsonp(status, obj): Use res.status(status).jsonp(obj) instead');
      this.statusCode = first as number;
      value = second;
    }
  }
  return sendJsonp(this, value);
}

/** Sends a status code with its reason phrase as text. */
export function sendStatus(this: Res, code: number): Res {
  const body = reason(code) || String(code);
  this.statusCode = code;
  this.type('txt');
  return this.send(body);
}

/** Sets the status code without a check. */
export function status(this: Res, code: number): Res {
  const unusual = typeof code === 'string' || Math.floor(code) !== code;
  if (unusual && code > 99 && code < 1000) {
    deprecate()(`res.status(${JSON.stringify(code)}): use res.status(${Math.floor(code)}) instead`);
  }
  this.statusCode = code;
  return this;
}
