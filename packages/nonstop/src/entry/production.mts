import type { Production } from '../production/api.js';
import production from './production.js';

/* The same instance for `require` and `import`. */
// Named one by one, because editors show no doc comments for the inferred types of destructured functions.
export const addCheck: Production['addCheck'] = production.addCheck;
export const draining: Production['draining'] = production.draining;
export const drain: Production['drain'] = production.drain;
export const onDrain: Production['onDrain'] = production.onDrain;
export const onShutdown: Production['onShutdown'] = production.onShutdown;
export const phase: Production['phase'] = production.phase;
export const serve: Production['serve'] = production.serve;
export const supervise: Production['supervise'] = production.supervise;
export { production as default };

export type { DrainNotice, DrainReport, Phase, ProductionOptions, Service } from './production.js';
