import { callableClass } from '../../core/callable-class.js';
import { debugLog, debugging } from '../../core/debug-log.js';
import { View as ViewOf5 } from '../view.js';

const log = debugLog('express:view');

type Rendered = (this: unknown, ...result: unknown[]) => void;

/** A view whose engine may call back before `render` returns. */
export const ViewOf4 = callableClass(
  class View extends ViewOf5 {
    override render(options: object, done: Rendered): void {
      if (debugging) log('render "%s"', this.path);
      this.engine(this.path as string, options, done);
    }
  },
  ['render'],
);
