import { view } from './view.js';

export const render = (path) => view(path);
