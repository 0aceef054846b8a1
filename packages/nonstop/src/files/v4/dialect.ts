import type { Files } from '../dialect.js';
import { mime } from './mime.js';
import { loadSend, send4 } from './send.js';

/** Express 4: as send 0.19. */
export const files4: Files = {
  send: send4,
  load() {
    loadSend();
    mime();
  },
  typeOf(file) {
    const types = mime();
    const type = types.lookup(file);
    const charset = types.charsets.lookup(type);
    return charset ? `${type}; charset=${charset}` : type;
  },
  tellsOfClosing: false,
  leading: ['from', 'hidden'],
};
