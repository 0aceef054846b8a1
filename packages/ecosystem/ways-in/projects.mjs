/** Programs of the projects in which the ways are tried. Each prints on its last line what it got. */

/** An application for Express 4, whose answers Express 5 does not give. */
const four = `
  const express = require('express');
  module.exports = async () => serve(express, (app) => {
    app.get('*', (req, res) => res.send(404));
  });`;

/** One for Express 5. */
const five = `
  const express = require('express');
  module.exports = async () => serve(express, (app) => {
    app.get('/{*splat}', async () => { throw Object.assign(new Error('Not Found'), { status: 404, expose: true }); });
  });`;

const serve = `
  async function serve(express, setUp) {
    const app = express();
    app.set('env', 'test');
    setUp(app);
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const answer = await fetch('http://127.0.0.1:' + server.address().port + '/x');
    const byEngine = server.listeners('connection').every((listener) => listener.name !== 'connectionListener');
    server.close();
    server.closeAllConnections();
    return { status: answer.status, text: (await answer.text()).includes('Not Found'), byEngine, inner: innerOf(express) };
  }`;

/** Whether patches of packages to Express take effect. */
const inner = `function innerOf(express) { return require('express/lib/response') === express.response; }`;
const noInner = 'function innerOf() { return true; }';

/** The expected output of each program. */
export const right = JSON.stringify({ status: 404, text: true, byEngine: true, inner: true });

/** Two packages that depend on Express, each on its own major version. */
export const dependents = [
  {
    name: 'needs-four',
    version: '1.0.0',
    dependencies: { express: '^4.17.0' },
    main: 'index.js',
    program: four + serve + inner,
  },
  {
    name: 'needs-five',
    version: '1.0.0',
    dependencies: { express: '^5.0.0' },
    main: 'index.js',
    program: five + serve + inner,
  },
  {
    name: 'has-peer',
    version: '1.0.0',
    peerDependencies: { express: '^5.0.0' },
    main: 'index.js',
    program: five + serve + inner,
  },
];

const say = (/** @type {string[]} */ ...names) =>
  `(async () => { for (const name of ${JSON.stringify(names)}) console.log(JSON.stringify(await all[name]())); })();`;

/** A program that uses both packages. */
export const asksBoth = `const all = { four: require('needs-four'), five: require('needs-five') }; ${say('four', 'five')}`;

/** A program that asks a package whose peer Express is. */
export const asksPeer = `const all = { peer: require('has-peer') }; ${say('peer')}`;

/** Programs with one major version of Express. */
export const asksFour = `${four.replace('module.exports =', 'const four =')} ${serve} ${inner} const all = { four }; ${say('four')}`;
export const asksFive = `${five.replace('module.exports =', 'const five =')} ${serve} ${inner} const all = { five }; ${say('five')}`;

/** The same as an ES module, for bundlers. */
export const imports = `import express from 'express';
  const five = async () => serve(express, (app) => {
    app.get('/{*splat}', async () => { throw Object.assign(new Error('Not Found'), { status: 404, expose: true }); });
  });
  ${serve} ${noInner} const all = { five }; ${say('five')}`;

/** Settings of a package manager that give each major version its own Nonstop. */
export const MAJORS = { 'express@^4': 'npm:nonstop@^4', 'express@^5': 'npm:nonstop@^5' };

/** Packages of the local registry, of which one depends on each major version. */
export const BOTH = { 'needs-four': '1.0.0', 'needs-five': '1.0.0' };
