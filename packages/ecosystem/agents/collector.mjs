import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { unpacked } from './agents.mjs';
import { certificate } from './certificate.mjs';

/** @typedef {import('./agents.mjs').Agent} Agent @typedef {import('./agents.mjs').Received} Received */

/** A local collector that stores the requests of an agent. @param {Agent} agent */
export async function openCollector(agent) {
  /** @type {Received[]} */
  const received = [];
  /** @type {import('node:http').RequestListener} */
  const collect = async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = unpacked(Buffer.concat(chunks), req.headers['content-encoding']);
    const one = { path: String(req.url), body, type: String(req.headers['content-type']) };
    received.push(one);
    const { text, type = 'application/json' } = agent.answer?.(one, url) ?? { text: '{}' };
    res.setHeader('Content-Type', type);
    res.end(text);
  };
  const server = agent.isSecure ? createSecureServer(certificate, collect) : createServer(collect);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = new URL(agent.isSecure ? `https://localhost:${port}` : `http://127.0.0.1:${port}`);
  return {
    url,
    received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
