/** How a server gets into the domain of {@link inDomain}. `create` and `listen` are those of the program. */
export const WAYS_IN: Readonly<Record<string, string>> = {
  'is created and listens in it': 'domain.run(() => { create(); listen(); });',
  'is added to it': 'create(); domain.add(server); listen();',
  'is not in it': 'create(); listen();',
};

/**
 * The head of a program that notes in `found` the domain of handlers and listeners, and where their errors go. Its arguments are the module that
 * makes the servers, here `door`, and whether domains are loaded before that module.
 */
export const inDomain = `
  const [, module, when] = process.argv;
  if (when === 'first') require('node:domain');
  const door = require(module);
  const domain = require('node:domain').create();
  const found = [];
  let asked = () => {};
  let told = () => {};
  const hears = (who) => ({ message }) => { found.push(who + ': ' + message); told(); };
  domain.on('error', hears('domain'));
  process.on('uncaughtException', hears('nobody'));
  const thrown = (where) => { found.push(where + ' ' + (process.domain === domain)); throw new Error(where); };
`;
