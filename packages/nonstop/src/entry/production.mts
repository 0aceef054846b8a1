import production from './production.js';

/* One instance, however it is loaded. */
export const { addCheck, drain, draining, onDrain, onShutdown, phase, serve, supervise } = production;
export { production as default };

export type { DrainNotice, DrainReport, Phase, ProductionOptions, Service } from './production.js';
