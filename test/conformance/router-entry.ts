import { Router } from '../../src/routing/router.js';

// The package `router` is a function; its suite is pointed at this module.
export = Router;
