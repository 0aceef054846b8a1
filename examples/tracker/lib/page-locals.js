'use strict';

const THEMES = ['auto', 'light', 'dark'];

/** For error pages that are shown before the session is read (a bad path under /static). */
const strangerLocals = { user: null, theme: 'auto', takeFlash: () => [] };

/** What every page needs: who is logged in, which theme, and helpers for the templates. */
function pageLocals(req, res, next) {
  const theme = req.cookies.theme;
  res.locals.user = req.user ?? null;
  res.locals.theme = THEMES.includes(theme) ? theme : 'auto';
  res.locals.takeFlash = res.takeFlash;
  res.locals.day = (iso) => iso.slice(0, 10);
  res.locals.minute = (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  res.locals.bytes = (size) =>
    size < 1024
      ? `${size} B`
      : size < 1024 ** 2
        ? `${Math.ceil(size / 1024)} KB`
        : `${(size / 1024 ** 2).toFixed(1)} MB`;
  // Pages differ from visitor to visitor: a browser may keep its own copy but must ask whether it is still good.
  res.set('Cache-Control', 'private, no-cache');
  next();
}

module.exports = { pageLocals, strangerLocals, THEMES };
