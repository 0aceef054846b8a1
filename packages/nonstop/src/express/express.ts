import { json } from '../body/json.js';
import { raw } from '../body/raw.js';
import { serveStatic } from '../files/static.js';
import { text } from '../body/text.js';
import { urlencoded } from '../body/urlencoded.js';
import { RouteFunction } from '../routing/route.js';
import { Router } from '../routing/router.js';
import { application } from './application.js';
import { assemble } from './create-application.js';
import { express5 } from './express5.js';
import { request } from './request/index.js';
import { response } from './response/index.js';
import type { NonstopExpress } from '../types/application.js';

function createApplication(): NonstopExpress {
  const app: object = assemble({ dialect: express5, application, request, response });
  return app as NonstopExpress;
}

/** The value of `require('nonstop')`. */
export const express = Object.assign(createApplication, {
  application,
  request,
  response,
  Route: RouteFunction,
  Router,
  json,
  raw,
  static: serveStatic,
  text,
  urlencoded,
});
