import { callableClass } from '../../core/callable-class.js';
import { Layer } from '../../routing/v4/layer.js';
import { RouteFunction } from '../../routing/v4/route.js';
import { Router } from '../../routing/v4/router.js';
import { application } from './application.js';
import { express } from './express.js';
import { initMiddleware } from './init.js';
import { queryMiddleware } from './query.js';
import { request } from './request/index.js';
import { response } from './response/index.js';
import { utils } from './utils.js';
import { ViewOf4 } from './view.js';

/** The modules of Express 4's `lib` that packages load by path, under their paths in `entry/v4`. */
export const deep = {
  'lib/application': application,
  'lib/express': express,
  'lib/middleware/init': { init: initMiddleware },
  'lib/middleware/query': queryMiddleware,
  'lib/request': request,
  'lib/response': response,
  'lib/router': Router,
  'lib/router/index': Router,
  'lib/router/layer': callableClass(Layer, ['handle_error', 'handle_request', 'match']),
  'lib/router/route': RouteFunction,
  'lib/utils': utils,
  'lib/view': ViewOf4,
};
