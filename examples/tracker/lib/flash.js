'use strict';

/**
 * `req.flash(kind, text)` leaves a message that the same visitor sees once, on the next page that is rendered,
 * wherever a redirect leads in between. `res.takeFlash()` hands the messages over and forgets them.
 */
function flash(req, res, next) {
  req.flash = (kind, text) => {
    req.session.flash = [...(req.session.flash ?? []), { kind, text }];
  };
  res.takeFlash = () => {
    const messages = req.session.flash ?? [];
    delete req.session.flash;
    return messages;
  };
  next();
}

module.exports = { flash };
