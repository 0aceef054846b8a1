import { gunzipSync } from 'node:zlib';
import { certificate } from './certificate.mjs';

/**
 * @typedef {{ path: string, body: Buffer, type: string }} Received a request to the collector
 * @typedef {{ text: string, type?: string }} Answer
 * @typedef {object} Agent
 * @property {string} title
 * @property {string[]} packages in npm's syntax; the version of the first one is printed
 * @property {Record<string, string>} files by name
 * @property {{ cjs: string[], esm: string[] }} flags of node
 * @property {(collector: URL) => Record<string, string>} variables
 * @property {boolean} [isSecure] whether the collector needs https
 * @property {Record<string, string>} [headers] fields of each request
 * @property {(received: Received, collector: URL) => Answer | undefined} [answer]
 * @property {(received: Received[], require: NodeJS.Require) => string[]} spans the reported spans, one per line, in any order
 */

/** @param {Record<string, unknown>} tags @param {RegExp} left names of tags that differ from run to run */
const told = (tags, left) =>
  Object.entries(tags)
    .filter(([name]) => !left.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value.split('\n')[0] : JSON.stringify(value)}`)
    .join(' ');

/** Ports, processes and identities. */
const CHANGING =
  /port|pid|process|runtime|user_agent|client\.|peer|thread|_dd\.|psr|trace_id|url\.full|^http\.url$|host|segment\.id|sdk|lifecycle|environment/;

/** @param {string} text */
const plain = (text) => text.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');

/**
 * @typedef {object} OtlpSpan a span as OTLP's JSON has it, with its attributes by name
 * @property {string} scope
 * @property {string} name
 * @property {number} kind 2: of a server
 * @property {string} spanId
 * @property {string} traceId
 * @property {string} [parentSpanId]
 * @property {string} startTimeUnixNano
 * @property {Record<string, unknown>} tags
 * @property {{ code?: number }} status
 * @property {{ name: string }[]} events
 */

/** @param {Received[]} received @returns {OtlpSpan[]} */
export const otlpSpans = (received) =>
  received
    .flatMap(({ body }) => JSON.parse(String(body)).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ scope, spans }) =>
      spans.map((/** @type {any} */ span) => ({
        ...span,
        scope: scope.name,
        tags: Object.fromEntries(
          span.attributes.map((/** @type {any} */ { key, value }) => [key, Object.values(value)[0]]),
        ),
      })),
    );

const otel = `
const { NodeTracerProvider, SimpleSpanProcessor, BatchSpanProcessor } = require('@opentelemetry/sdk-trace-node');
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-http');
const { registerInstrumentations } = require('@opentelemetry/instrumentation');
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { ExpressInstrumentation } = require('@opentelemetry/instrumentation-express');
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
provider.register();
registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new ExpressInstrumentation()] });
globalThis.flushAgent = () => provider.forceFlush();
`;

/** @type {Record<string, Agent>} */
export const agents = {
  opentelemetry: {
    title: 'OpenTelemetry',
    packages: [
      '@opentelemetry/instrumentation-express',
      '@opentelemetry/instrumentation-http',
      '@opentelemetry/instrumentation',
      '@opentelemetry/api',
      '@opentelemetry/sdk-trace-node',
      '@opentelemetry/exporter-trace-otlp-http',
    ],
    files: {
      'opentelemetry.cjs': otel,
      'opentelemetry.mjs': `import { createRequire, register } from 'node:module';
register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
createRequire(import.meta.url)('./opentelemetry.cjs');`,
    },
    flags: { cjs: ['--require', './opentelemetry.cjs'], esm: ['--import', './opentelemetry.mjs'] },
    variables: ({ origin }) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: origin }),
    spans: (received) => {
      const spans = otlpSpans(received);
      const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
      return spans.map(({ scope, name, kind, parentSpanId, tags, status, events }) => {
        const parent = names.get(parentSpanId ?? '') ?? 'none';
        return `${scope.split('/').pop()} | ${name} | kind ${kind} | in ${parent} | ${told(tags, CHANGING)} | status ${status.code} | ${events.map((e) => e.name).join()}`;
      });
    },
  },
  datadog: {
    title: 'dd-trace (Datadog)',
    packages: ['dd-trace', '@msgpack/msgpack'],
    files: {
      'datadog.cjs': `const tracer = require('dd-trace').init();
globalThis.flushAgent = () => new Promise((resolve) => setTimeout(resolve, 2500));`,
      'datadog.mjs': `import { createRequire, register } from 'node:module';
register('dd-trace/loader-hook.mjs', import.meta.url);
createRequire(import.meta.url)('./datadog.cjs');`,
    },
    flags: { cjs: ['--require', './datadog.cjs'], esm: ['--import', './datadog.mjs'] },
    variables: ({ origin }) => ({
      DD_TRACE_AGENT_URL: origin,
      DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'false',
      DD_REMOTE_CONFIGURATION_ENABLED: 'false',
      DD_TRACE_STARTUP_LOGS: 'false',
      DD_SERVICE: 'program',
    }),
    answer: ({ path }) =>
      path === '/info'
        ? { text: '{"endpoints":["/v0.4/traces"]}', type: 'application/json' }
        : { text: '{"rate_by_service":{}}' },
    spans: (received, require) => {
      const decoder = '@msgpack/msgpack';
      const { decode } = require(decoder);
      const spans = received
        .filter(({ path }) => path.endsWith('/traces'))
        .flatMap(({ body }) => decode(body, { useBigInt64: true }))
        .flat();
      const names = new Map(spans.map((span) => [String(span.span_id), span.resource]));
      return spans.map(
        ({ name, resource, type, error, parent_id, meta }) =>
          `${name} | ${resource} | ${type} | in ${names.get(String(parent_id)) ?? 'none'} | error ${error} | ${told(meta, CHANGING)}`,
      );
    },
  },
  elastic: {
    title: 'Elastic APM',
    packages: ['elastic-apm-node'],
    files: {
      'elastic.cjs': `const agent = require('elastic-apm-node').start({ captureBody: 'off', metricsInterval: '0s', centralConfig: false, cloudProvider: 'none', apiRequestTime: '1s', logLevel: 'off' });
globalThis.flushAgent = () => new Promise((resolve) => agent.flush(() => resolve()));`,
      'elastic.mjs': `import { createRequire, register } from 'node:module';
register('elastic-apm-node/loader.mjs', import.meta.url);
createRequire(import.meta.url)('./elastic.cjs');`,
    },
    flags: { cjs: ['--require', './elastic.cjs'], esm: ['--import', './elastic.mjs'] },
    variables: ({ origin }) => ({ ELASTIC_APM_SERVER_URL: origin, ELASTIC_APM_SERVICE_NAME: 'program' }),
    answer: ({ path }) => ({ text: path === '/' ? '{"version":"8.0.0"}' : '{}', type: 'application/json' }),
    spans: (received) => {
      const events = received
        .filter(({ path }) => path.startsWith('/intake'))
        .flatMap(({ body }) => String(body).trim().split('\n'))
        .map((line) => JSON.parse(line));
      const transactions = new Map(
        events.filter((e) => e.transaction).map(({ transaction }) => [transaction.id, transaction.name]),
      );
      const lines = events.flatMap(({ transaction, span, error, metadata }) => {
        if (metadata)
          return [
            `metadata | ${metadata.service.framework?.name} ${metadata.service.framework?.version?.split('.')[0]}`,
          ];
        if (transaction)
          return [
            `transaction | ${transaction.name} | ${transaction.type} | ${transaction.result} ${transaction.outcome} | ${transaction.context?.response?.status_code}`,
          ];
        if (span) return [`span | ${span.name} | ${span.type} | in ${transactions.get(span.parent_id)}`];
        if (error)
          return [
            `error | ${error.exception?.message} | ${error.culprit?.split(' ')[0]} | in ${transactions.get(error.transaction_id)}`,
          ];
        return [];
      });
      // Each message begins with the metadata.
      return lines.filter((line, index) => !line.startsWith('metadata') || lines.indexOf(line) === index);
    },
  },
  sentry: {
    title: 'Sentry',
    packages: ['@sentry/node'],
    files: {
      'sentry.cjs': `const Sentry = require('@sentry/node');
Sentry.init({ dsn: process.env.SENTRY_DSN, tracesSampleRate: 1, integrations: (all) => all.filter(({ name }) => !/Modules|Context|ProcessSession|Console/.test(name)) });
globalThis.flushAgent = () => Sentry.flush(5000);`,
      'sentry.mjs': `import * as Sentry from '@sentry/node';
Sentry.init({ dsn: process.env.SENTRY_DSN, tracesSampleRate: 1, integrations: (all) => all.filter(({ name }) => !/Modules|Context|ProcessSession|Console/.test(name)) });
globalThis.flushAgent = () => Sentry.flush(5000);`,
    },
    flags: { cjs: ['--require', './sentry.cjs'], esm: ['--import', './sentry.mjs'] },
    variables: (collector) => ({ SENTRY_DSN: `http://key@${collector.host}/1` }),
    spans: (received) => {
      const items = received.flatMap(({ body }) => String(body).trim().split('\n')).map((line) => JSON.parse(line));
      const spans = items
        .filter(({ version, items: own }) => version !== undefined && own !== undefined)
        .flatMap(({ items: own }) => own);
      const names = new Map(spans.map(({ span_id, name }) => [span_id, name]));
      return [
        ...spans.map(({ name, parent_span_id, status, attributes }) => {
          const tags = Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value]));
          return plain(
            `span | ${name} | in ${names.get(parent_span_id) ?? 'none'} | ${status} | ${told(tags, CHANGING)}`,
          );
        }),
        ...items
          .filter(({ exception }) => exception !== undefined)
          .map(({ exception, transaction, contexts }) => {
            const [{ value, mechanism }] = exception.values;
            return `error | ${value} | ${transaction} | ${JSON.stringify(mechanism)} | in ${names.get(contexts.trace.span_id) ?? 'none'}`;
          }),
      ];
    },
  },
  newrelic: {
    title: 'New Relic',
    packages: ['newrelic'],
    isSecure: true,
    files: {
      'newrelic.cjs': `
const { readFileSync } = require('node:fs');
exports.config = {
  app_name: ['program'], license_key: '0123456789012345678901234567890123456789', agent_enabled: true,
  host: process.env.COLLECTOR_HOST, port: Number(process.env.COLLECTOR_PORT), certificates: [readFileSync(__dirname + '/certificate.pem', 'utf8')],
  logging: { enabled: false }, utilization: { detect_aws: false, detect_azure: false, detect_gcp: false, detect_docker: false, detect_kubernetes: false, detect_pcf: false, detect_azurefunction: false },
  distributed_tracing: { enabled: true }, span_events: { enabled: true }, transaction_tracer: { transaction_threshold: 0 },
  application_logging: { enabled: false }, browser_monitoring: { enable: false },
};`,
      'with-newrelic.cjs': `const agent = require('newrelic');
if (!process.env.NO_COLLECTOR) globalThis.agentIsReady = new Promise((resolve) => agent.agent?.once('started', resolve));
globalThis.flushAgent = () => new Promise((resolve) => agent.shutdown({ collectPendingData: true, timeout: 8000 }, () => resolve()));`,
      'certificate.pem': certificate.cert,
    },
    flags: {
      cjs: ['--require', './with-newrelic.cjs'],
      esm: ['--import', 'newrelic/esm-loader.mjs', '--require', './with-newrelic.cjs'],
    },
    variables: ({ hostname, port }) => ({ COLLECTOR_HOST: hostname, COLLECTOR_PORT: port, NEW_RELIC_HOME: '.' }),
    answer: ({ path }, { host }) => {
      const method = new URL(path, 'https://localhost').searchParams.get('method');
      /** @type {Record<string, unknown>} */
      const values = {
        preconnect: { redirect_host: host, security_policies: {} },
        connect: {
          agent_run_id: 1,
          collect_span_events: true,
          collect_traces: true,
          collect_errors: true,
          collect_error_events: true,
          collect_analytics_events: true,
          data_report_period: 60,
          sampling_target: 1000,
          sampling_target_period_in_seconds: 60,
          account_id: '1',
          primary_application_id: '1',
          trusted_account_key: '1',
          span_event_harvest_config: { report_period_ms: 60000, harvest_limit: 10000 },
          event_harvest_config: {
            report_period_ms: 60000,
            harvest_limits: {
              analytic_event_data: 10000,
              error_event_data: 1000,
              span_event_data: 10000,
              custom_event_data: 100,
            },
          },
        },
        get_agent_commands: [],
      };
      return { text: JSON.stringify({ return_value: values[String(method)] ?? null }), type: 'application/json' };
    },
    spans: (received) => {
      const of = (/** @type {string} */ method) =>
        received.filter(({ path }) => path.includes(`method=${method}&`)).map(({ body }) => JSON.parse(String(body)));
      const spans = of('span_event_data').flatMap(([, , events]) => events);
      const names = new Map(spans.map(([own]) => [own.guid, own.name]));
      return [
        ...spans.map(
          ([own, , agent]) =>
            `span | ${own.name} | ${own.category} | in ${names.get(own.parentId) ?? 'none'} | ${told(agent, /port|host|userAgent|thread|url|length|millis|code\.(column|line|filepath)/i)}`,
        ),
        ...of('analytic_event_data')
          .flatMap(([, , events]) => events)
          .map(([own]) => `transaction | ${own.name} | error ${own.error}`),
        ...of('error_event_data')
          .flatMap(([, , events]) => events)
          .map(([own]) => `error | ${own['error.message']} | ${own.transactionName}`),
      ];
    },
  },
};

/** @param {Buffer} body @param {string | undefined} encoding */
export const unpacked = (body, encoding) =>
  encoding === 'gzip' || (body[0] === 0x1f && body[1] === 0x8b) ? gunzipSync(body) : body;
