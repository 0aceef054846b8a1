import assert = require('node:assert/strict');
import path = require('node:path');
import { test } from 'node:test';
import type { Framework } from '../support/framework.js';
import { compiled, inPackage } from '../support/paths.js';

/** The names of all reachable functions, by their paths. Objects that are not the framework's are not followed. */
function namesIn(entry: string): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<unknown>([Function.prototype, Object.prototype, Array.prototype]);
  const visit = (value: unknown, way: string): void => {
    if (value === null || !['object', 'function'].includes(typeof value) || seen.has(value)) return;
    seen.add(value);
    if (typeof value === 'function') found.set(way, value.name);
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      for (const part of ['value', 'get', 'set'] as const)
        visit(property[part], `${way}.${key}${part === 'value' ? '' : ` ${part}`}`);
    }
    visit(Object.getPrototypeOf(value), `${way}.[prototype]`);
  };
  // A second copy in one process would use the engine of the first.
  Reflect.deleteProperty(process, Symbol.for('nonstop.5'));
  const frameworks = ['index', 'v4'].map((name) => require(path.join(entry, 'entry', `${name}.js`)) as Framework);
  const http = require(path.join(entry, 'entry/http.js')) as Record<string, unknown>;
  for (const [i, framework] of frameworks.entries()) {
    visit(framework, `express ${i}`);
    visit(sample(framework), `application ${i}`);
  }
  for (const name of [
    'createServer',
    'Server',
    'IncomingMessage',
    'ServerResponse',
    'accelerate',
    'isAccelerated',
    'explainAcceleration',
  ])
    visit(http[name], `http.${name}`);
  return found;
}

/** An application with one layer of each kind, as tools see it that list a stack. */
function sample(framework: Framework): unknown {
  const app = framework();
  app.use(framework.json(), framework.raw(), framework.text(), framework.urlencoded(), framework.static('.'));
  app.use('/router', framework.Router());
  app.use('/application', framework());
  app.get('/route', () => undefined);
  return app;
}

test('functions have the names that they have in the sources', () => {
  const sources = namesIn(compiled('src'));
  assert.ok(sources.size > 150, `only ${sources.size} functions were found`);
  assert.deepEqual(namesIn(inPackage('dist')), sources);
});
