import { nonstop } from '../support/subject.js';

// The package `router` is a function; its suite is pointed at this module.
export = nonstop.Router;
