import { readFileSync } from 'node:fs';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { agents, otlpSpans } from './agents.mjs';

/** @typedef {import('./agents.mjs').Agent} Agent @typedef {import('./agents.mjs').OtlpSpan} OtlpSpan */

/** The span of the client, as a field of each request. */
const client = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const headers = { traceparent: `00-${client.traceId}-${client.spanId}-01` };

/** The guide's file. @returns {string} */
function spansFile() {
  const guide = readFileSync(inRoot('docs', 'guide', 'tracing.md'), 'utf8');
  const [, text] = /^```js \[spans\.js\]\n(.*?)^```$/ms.exec(guide) ?? [];
  if (text === undefined) throw new Error('docs/guide/tracing.md has no block spans.js');
  return text;
}

/** OpenTelemetry's SDK without instrumentations and without a context manager, and the guide's file behind it. */
const withSdk = `
const { NodeTracerProvider, BatchSpanProcessor } = require('@opentelemetry/sdk-trace-node');
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-http');
const { trace } = require('@opentelemetry/api');
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
provider.register({ contextManager: null });
require('./spans.js');
globalThis.startOwnSpan = () => trace.getTracer('own').startSpan('own').end();
globalThis.flushAgent = () => provider.forceFlush();
`;

/** @returns {Agent} the guide's recipe, in the place of an agent */
export const recipe = () => ({
  ...agents['opentelemetry'],
  title: "the guide's spans.js with OpenTelemetry's SDK",
  files: {
    'spans.js': spansFile(),
    'recipe.cjs': withSdk,
    'recipe.mjs': `import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('./recipe.cjs');`,
  },
  flags: { cjs: ['--require', './recipe.cjs'], esm: ['--import', './recipe.mjs'] },
  headers,
  spans: (received) => servers(otlpSpans(received)).map(lineOf),
});

/** @returns {Agent} OpenTelemetry's instrumentations for Express, with the attributes' present names */
export const instrumented = () => ({
  ...agents['opentelemetry'],
  headers,
  variables: (collector) => ({
    ...agents['opentelemetry'].variables(collector),
    OTEL_SEMCONV_STABILITY_OPT_IN: 'http',
  }),
  // The channels tell which of a route's paths matched; the instrumentation names all of them.
  spans: (received) => servers(otlpSpans(received)).map((span) => lineOf(span).replaceAll('/one,/two', '/two')),
});

/** @param {OtlpSpan[]} spans */
const servers = (spans) => spans.filter(({ kind }) => kind === 2);

/** @param {OtlpSpan} span */
function lineOf({ name, tags, status, traceId, parentSpanId }) {
  const parent = traceId === client.traceId && parentSpanId === client.spanId ? 'the client' : parentSpanId;
  const values = ['http.route', 'http.response.status_code'].map((tag) => JSON.stringify(tags[tag]));
  return [name, ...values, `status ${status.code ?? 0}`, `in ${parent}`].join(' | ');
}

/**
 * The spans of one request, each in a line, indented below its parent and in the order of their starts.
 * @param {OtlpSpan[]} spans of all requests
 * @param {string} name of the request's span
 * @returns {string}
 */
export function treeOf(spans, name) {
  /** @param {OtlpSpan} parent @param {string} indent @returns {string[]} */
  const below = (parent, indent) => {
    const own = spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);
    own.sort((a, b) => (BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1));
    return [`${indent}${parent.name}`, ...own.flatMap((span) => below(span, `${indent}  `))];
  };
  const root = servers(spans).find((span) => span.name === name);
  return root === undefined ? `no span ${name}` : below(root, '').join('\n');
}

/** Trees of three requests: a chain of handlers, a span of the handler's own behind an await, an error. */
export const expectedTrees = {
  'POST /users': `POST /users
  middleware countServed
  middleware jsonParser
  route /users
    handler checkUser
    handler <anonymous>`,
  'GET /slow': `GET /slow
  middleware countServed
  middleware jsonParser
  route /slow
    handler <anonymous>
      own`,
  'GET /throws': `GET /throws
  middleware countServed
  middleware jsonParser
  route /throws
    handler <anonymous>
  error answerError`,
};
