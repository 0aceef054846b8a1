import { host } from '../../../http/host.js';
import { append, get } from '../../response/fields.js';
import { render } from '../../response/render.js';
import type { Response } from '../../../types/v4/messages.js';
import type { Res } from '../../response/shape.js';
import { clearCookie, cookie } from './cookies.js';
import { contentType, header, links, vary } from './fields.js';
import { attachment, download, sendFile, sendfile } from './files.js';
import { format } from './negotiate.js';
import { location, redirect } from './redirect.js';
import { answerJson, jsonp, send, sendStatus, status } from './send.js';

/** The prototype of every response, with the methods of Express 4 as own, enumerable, writable properties. */
export const response = Object.assign(Object.create(host.ServerResponse.prototype) as Res & Response, {
  status,
  links,
  send,
  json: answerJson,
  jsonp,
  sendStatus,
  sendFile,
  sendfile,
  download,
  contentType,
  type: contentType,
  format,
  attachment,
  append,
  set: header,
  header,
  get,
  clearCookie,
  cookie,
  location,
  redirect,
  vary,
  render,
});
