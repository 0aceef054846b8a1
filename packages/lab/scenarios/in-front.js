'use strict';

const { peers, variedRequest } = require('../scenario-parts.js');

const env = { DOOR: 'inFront', SCENARIO: 'varied' };

/** A server with a listener in front of the application, as socket.io puts it there: the messages are node's until the application gets them. */
module.exports = {
  name: 'in-front',
  title: 'requests that differ, behind a listener in front of the application',
  request: variedRequest('/items/1'),
  load: { varied: true },
  peers: peers(['node:http', 'Express 5', 'Nonstop'], env),
};
