import { lazy } from '../../core/lazy.js';
import type { Files } from '../dialect.js';
import { mime } from './mime.js';

const sendPackage = lazy(() => require('send-v0') as Files['send']);

/** Express 4: send 0.19. */
export const files4: Files = {
  send: (req, wanted, options) => sendPackage()(req, wanted, options),
  typeOf(file) {
    const types = mime();
    const type = types.lookup(file);
    const charset = types.charsets.lookup(type);
    return charset ? `${type}; charset=${charset}` : type;
  },
  tellsOfClosing: false,
  leading: ['from', 'hidden'],
};
