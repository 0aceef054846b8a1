'use strict';

const { setImmediate } = require('node:timers/promises');

/** Failures, to see what a visitor and the log get: an exception, a rejected promise, an error in the middle of an answer. */
function diagnostics({ express }) {
  const router = express.Router();

  router.get('/throw', () => {
    throw new Error('thrown on purpose');
  });

  router.get('/reject', async () => {
    await setImmediate();
    throw new Error('rejected on purpose');
  });

  router.get('/halfway', (req, res) => {
    res.set('Content-Length', '1000').type('text');
    res.write('This answer was meant to be 1000 bytes long, but');
    throw new Error('failed after the answer had begun');
  });

  return router;
}

module.exports = { diagnostics };
