import type { Response } from '../../types/response.js';
import type { Res } from './shape.js';
import { append, get, links, set, type } from './fields.js';
import { attachment, download, sendFile } from './files.js';
import { clearCookie, cookie } from './cookies.js';
import { format, vary } from './negotiate.js';
import { answerJson, jsonp } from './json.js';
import { location, redirect } from './redirect.js';
import { sendStatus, status } from './status.js';
import { render } from './render.js';
import { send } from './send.js';
import { host } from '../../http/host.js';

/**
 * The prototype of every response. It inherits from node's, and has Express's methods as own, enumerable, writable
 * properties, because applications and packages list, wrap and replace them there.
 */
export const response = Object.assign(Object.create(host.ServerResponse.prototype) as Res & Response, {
  status,
  links,
  send,
  json: answerJson,
  jsonp,
  sendStatus,
  sendFile,
  download,
  type,
  contentType: type,
  format,
  attachment,
  append,
  header: set,
  set,
  get,
  clearCookie,
  cookie,
  location,
  redirect,
  vary,
  render,
});
