import { callableClass } from '../core/callable-class.js';
import { Layer } from '../routing/layer/layer.js';
import { RouteFunction } from '../routing/route.js';
import { Router } from '../routing/router.js';
import { application } from './application.js';
import { express } from './express.js';
import { request } from './request/index.js';
import { response } from './response/index.js';
import { utils } from './utils.js';
import { ViewFunction } from './view.js';

/** The modules of Express 5's `lib` and its `router` that packages load by path, under their paths in `entry`. */
export const deep = {
  'lib/application': application,
  'lib/express': express,
  'lib/request': request,
  'lib/response': response,
  'lib/utils': utils,
  'lib/view': ViewFunction,
  'router/index': Router,
  'router/lib/layer': callableClass(Layer, ['handleError', 'handleRequest', 'match']),
  'router/lib/route': RouteFunction,
};
