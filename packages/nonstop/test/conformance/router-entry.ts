import { nonstop } from '../support/subject.js';

// The package `router` exports a function; its suite loads this module instead.
export = nonstop.Router;
