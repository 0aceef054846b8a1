'use strict';

const { readFileSync } = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const path = require('node:path');
const express = require('nonstop');

function createApp() {
  const app = express();
  app.use((req, res, next) => {
    res.set('Strict-Transport-Security', 'max-age=300');
    next();
  });
  app.get('/', (req, res) => {
    res.json({ protocol: req.protocol, secure: req.secure, tls: req.socket.getProtocol() });
  });
  return app;
}

/**
 * Redirects all requests to the same path on HTTPS.
 *
 * @param {string} site the name in the address. Not that of the request, which its client chooses
 * @param {() => number} port of the server of HTTPS
 */
function createRedirect(site, port) {
  const app = express();
  app.use((req, res) => {
    const host = port() === 443 ? site : `${site}:${port()}`;
    res.redirect(308, `https://${host}${req.originalUrl}`);
  });
  return app;
}

/**
 * @param {{ key: string | Buffer, cert: string | Buffer }} tls
 * @param {string} site
 * @returns two servers that do not listen yet
 */
function createServers({ key, cert }, site) {
  const secure = https.createServer({ key, cert }, createApp());
  const plain = http.createServer(createRedirect(site, () => secure.address().port));
  return { secure, plain };
}

module.exports = { createServers };

if (require.main === module) {
  const file = (name) => readFileSync(path.join(__dirname, name));
  const site = process.env.SITE ?? 'localhost';
  const { secure, plain } = createServers({ key: file('key.pem'), cert: file('cert.pem') }, site);
  secure.listen(process.env.HTTPS_PORT ?? 8443, () => console.log(`https://localhost:${secure.address().port}`));
  plain.listen(process.env.PORT ?? 8080);
  // A renewed certificate, without a restart: kill -HUP <pid>
  process.on('SIGHUP', () => {
    try {
      secure.setSecureContext({ key: file('key.pem'), cert: file('cert.pem') });
    } catch (error) {
      console.error(`the old certificate stays: ${error.message}`);
    }
  });
}
