'use strict';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a form that another site made the browser send (CSRF). Browsers say where a request comes from in
 * Sec-Fetch-Site, older ones in Origin; a page cannot forge either. A client that sends neither is not a browser,
 * so no other site can make it send a visitor's cookies. The session cookie is also SameSite=Lax: either defence
 * is enough alone.
 */
function sameOrigin(req, res, next) {
  if (SAFE_METHODS.has(req.method)) return next();
  const site = req.get('Sec-Fetch-Site');
  if (site === 'same-origin' || site === 'none') return next();
  const origin = req.get('Origin');
  if (site === undefined && (origin === undefined || hostOf(origin) === req.host)) return next();
  res.status(403);
  next(Object.assign(new Error('This form was sent from another site.'), { status: 403, expose: true }));
}

function hostOf(origin) {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

module.exports = { sameOrigin };
