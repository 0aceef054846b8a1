'use strict';

// Loaded before a server of any framework: nonstop/http/register, and a check that the engine has the server.
const { Server } = require('node:http');
const net = require('node:net');
require('nonstop/http/register');
const { explainAcceleration } = require('nonstop/http');

const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (...args) {
  listen.apply(this, args);
  const { accelerated, reason } = explainAcceleration(this);
  if (this instanceof Server && !accelerated) throw new Error(`this server is left to node: ${reason}`);
  return this;
};
