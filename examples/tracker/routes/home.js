'use strict';

const { THEMES } = require('../lib/page-locals');
const { httpError } = require('../lib/errors');

const YEAR_MS = 365 * 24 * 60 * 60_000;

function home({ express }) {
  const router = express.Router();

  router.get('/', (req, res) => res.redirect('/issues'));

  router.get('/health', (req, res) => res.type('text').send('ok'));

  router.post('/theme', (req, res) => {
    const theme = req.body?.theme;
    if (!THEMES.includes(theme)) throw httpError(400, 'There is no such theme.');
    if (theme === 'auto') res.clearCookie('theme');
    else res.cookie('theme', theme, { maxAge: YEAR_MS, httpOnly: true, sameSite: 'lax' });
    res.redirect(303, pageBefore(req));
  });

  return router;
}

/** The path of the previous page, if it is one of ours: never an address that another site has chosen. */
function pageBefore(req) {
  const referrer = req.get('Referrer');
  if (referrer === undefined || !URL.canParse(referrer)) return '/issues';
  const { host, pathname, search } = new URL(referrer);
  return host === req.host && !pathname.startsWith('//') ? pathname + search : '/issues';
}

module.exports = { home };
