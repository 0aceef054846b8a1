import { Layer } from '../../routing/v4/layer.js';
import { Route } from '../../routing/v4/route.js';
import { Router } from '../../routing/v4/router.js';
import { application } from './application.js';
import { express } from './express.js';
import { initMiddleware } from './init.js';
import { queryMiddleware } from './query.js';
import { request } from './request/index.js';
import { response } from './response/index.js';
import { ViewOf4 } from './view.js';

/** The modules of Express 4's `lib` that packages reach into, by their paths there. */
export const deep = {
  application,
  express,
  'middleware/init': { init: initMiddleware },
  'middleware/query': queryMiddleware,
  request,
  response,
  router: Router,
  'router/index': Router,
  'router/layer': Layer,
  'router/route': Route,
  view: ViewOf4,
};
