/// <reference types="node" preserve="true" />
import { productionApi } from '../production/api.js';
import type api = require('../production/api.js');
import type draining = require('../production/drain.js');
import type life = require('../production/lifecycle.js');
import type options = require('../production/options.js');
import type run = require('../production/run.js');

/** `nonstop/production`: workers, drain, health and limits. No other part of the package loads it. */
const production: api.Production = productionApi(__dirname);

namespace production {
  export type DrainNotice = life.DrainNotice;
  export type DrainReport = draining.DrainReport;
  export type Phase = life.Phase;
  export type ProductionOptions = options.ProductionOptions;
  export type Service = run.Service;
}

export = production;
