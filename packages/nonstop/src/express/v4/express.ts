import { json, raw, text, urlencoded } from '../../body/v4/parsers.js';
import { staticOf4 } from '../../files/v4/static.js';
import { RouteFunction } from '../../routing/v4/route.js';
import { Router } from '../../routing/v4/router.js';
import { assemble } from '../create-application.js';
import type { NonstopExpress } from '../../types/v4/application.js';
import { application } from './application.js';
import { express4 } from './express4.js';
import { watchUsesOf4 } from './moving-on/index.js';
import { queryMiddleware } from './query.js';
import { request } from './request/index.js';
import { response } from './response/index.js';

function createApplication(): NonstopExpress {
  const app: object = assemble({ dialect: express4, application, request, response });
  return app as NonstopExpress;
}

/** The value of `require('nonstop/v4')`. */
export const express = Object.assign(createApplication, {
  application,
  request,
  response,
  Route: RouteFunction,
  Router,
  json,
  query: queryMiddleware,
  raw,
  static: staticOf4,
  text,
  urlencoded,
});

/** Middleware that was part of Express 3; reading one throws an error with a hint. */
const REMOVED = [
  'bodyParser',
  'compress',
  'cookieSession',
  'session',
  'logger',
  'cookieParser',
  'favicon',
  'responseTime',
  'errorHandler',
  'timeout',
  'methodOverride',
  'vhost',
  'csrf',
  'directory',
  'limit',
  'multipart',
  'staticCache',
];

for (const name of REMOVED) {
  Object.defineProperty(express, name, {
    get() {
      throw new Error(
        `Most middleware (like ${name}) is no longer bundled with Express and must be installed separately. Please see https://github.com/senchalabs/connect#middleware.`,
      );
    },
    configurable: true,
  });
}

watchUsesOf4(express);
