import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { METHODS } from 'node:http';
import { routePattern } from '../routing/route-pattern.js';
import type { Ended, Traffic } from './traffic.js';

type Labels = Record<string, string | number>;

/** A metric as prom-client passes it between processes: the type of `registry.getMetricsAsJSON()`. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  /** How prom-client adds it up over processes: `omit` leaves it out. */
  readonly aggregator: 'sum' | 'max' | 'omit' | 'first';
  readonly values: readonly { readonly labels: Labels; readonly value: number; readonly metricName?: string }[];
}

/** The metrics of processes. */
export type Measured = readonly (readonly Metric[])[];

/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Each pattern is a separate series for each method and status. The limit protects the memory if an application creates
 * routes while it runs.
 */
const MOST_ROUTES = 1000;

class Series {
  count = 0;
  /** Milliseconds. */
  sum = 0;
  /** The count of durations up to the bound at the same index, and above the previous bound. */
  readonly within = new Float64Array(BUCKETS.length);
}

const KNOWN_METHODS = new Set(METHODS);

/**
 * The counters of a process. They are not prom-client's, which build a key from the labels at each request; that takes
 * longer than everything done here.
 */
export class Measurements {
  private readonly byRoute = new Map<string, Map<string, Map<number, Series>>>();
  private readonly refused = new Map<string, number>();
  private readonly traffic: Traffic;
  private readonly delay: IntervalHistogram;
  private aborted = 0;

  constructor(traffic: Traffic) {
    this.traffic = traffic;
    this.delay = monitorEventLoopDelay({ resolution: 20 });
    this.delay.enable();
  }

  /** Counts a request; the clock is read here, at its end. */
  ended({ req, res, start, aborted }: Ended): void {
    if (aborted) this.aborted++;
    const series = this.seriesOf(routePattern(req), req.method ?? '', aborted ? 499 : res.statusCode);
    const took = start === undefined ? 0 : performance.now() - start;
    series.count++;
    series.sum += took;
    for (let i = 0; i < BUCKETS.length; i++) {
      if (took <= BUCKETS[i] * 1000) {
        series.within[i]++;
        return;
      }
    }
  }

  countRefused(code: string): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }

  private seriesOf(pattern: string, method: string, status: number): Series {
    let byMethod = this.byRoute.get(pattern);
    if (byMethod === undefined) {
      if (this.byRoute.size >= MOST_ROUTES && pattern !== 'other') return this.seriesOf('other', method, status);
      this.byRoute.set(pattern, (byMethod = new Map()));
    }
    let byStatus = byMethod.get(method);
    if (byStatus === undefined) {
      if (!KNOWN_METHODS.has(method) && method !== 'other') return this.seriesOf(pattern, 'other', status);
      byMethod.set(method, (byStatus = new Map()));
    }
    let series = byStatus.get(status);
    if (series === undefined) byStatus.set(status, (series = new Series()));
    return series;
  }

  /** All metrics in the form that prom-client adds up over processes. */
  snapshot(): Metric[] {
    const { traffic } = this;
    return [
      this.durations(),
      gauge('nonstop_http_requests_in_flight', 'Requests under way.', [[{}, traffic.inHand]]),
      counter('nonstop_http_requests_aborted_total', 'Requests whose connection closed before the answer was sent.', [
        [{}, this.aborted],
      ]),
      this.connections(),
      this.octets(),
      counter(
        'nonstop_http_refused_messages_total',
        'Refused messages and connections, by error code or reason.',
        [...this.refused].map(([code, count]) => [{ code }, count]),
      ),
      counter(
        'nonstop_http_overload_total',
        'Requests refused by overload limits, by limit.',
        Object.entries(traffic.gate?.refused ?? {}).map(([reason, count]) => [{ reason }, count]),
      ),
      this.loopDelay(),
    ];
  }

  private durations(): Metric {
    const name = 'nonstop_http_request_duration_seconds';
    const values: { labels: Labels; value: number; metricName: string }[] = [];
    for (const [route, byMethod] of this.byRoute) {
      for (const [method, byStatus] of byMethod) {
        for (const [status, series] of byStatus) {
          const labels = { method, route, status };
          let below = 0;
          for (const [i, le] of BUCKETS.entries()) {
            below += series.within[i];
            values.push({ labels: { le, ...labels }, value: below, metricName: `${name}_bucket` });
          }
          values.push({ labels: { le: '+Inf', ...labels }, value: series.count, metricName: `${name}_bucket` });
          values.push({ labels, value: series.sum / 1000, metricName: `${name}_sum` });
          values.push({ labels, value: series.count, metricName: `${name}_count` });
        }
      }
    }
    const help = 'From the head of a request to the end of its answer; status 499 if the connection closed before.';
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }

  private connections(): Metric {
    const states = { idle: 0, active: 0, upgraded: 0 };
    for (const held of this.traffic.connections) {
      states[held.upgraded !== undefined ? 'upgraded' : held.current !== null ? 'active' : 'idle']++;
    }
    return gauge(
      'nonstop_http_connections',
      'Open connections, by state.',
      Object.entries(states).map(([state, count]) => [{ state }, count]),
    );
  }

  private octets(): Metric {
    let { read, written } = this.traffic.closed;
    for (const held of this.traffic.connections) {
      const octets = held.octets();
      read += octets.read;
      written += octets.written;
    }
    return counter('nonstop_http_bytes_total', 'Octets that went through the connections.', [
      [{ direction: 'read' }, read],
      [{ direction: 'written' }, written],
    ]);
  }

  private loopDelay(): Metric {
    const { delay } = this;
    // Not "quantile": that label belongs to summaries.
    const found = { p50: delay.percentile(50), p99: delay.percentile(99), max: delay.max };
    const values = Object.entries(found).map(([stat, nanoseconds]): [Labels, number] => [{ stat }, nanoseconds / 1e9]);
    delay.reset();
    const help = 'Intervals of a 20 ms timer since the last scrape; what exceeds 20 ms is delay of the event loop.';
    return { ...gauge('nonstop_event_loop_delay_seconds', help, values), aggregator: 'max' };
  }
}

export function counter(name: string, help: string, values: readonly [Labels, number][]): Metric {
  return of('counter', name, help, values);
}

export function gauge(name: string, help: string, values: readonly [Labels, number][]): Metric {
  return of('gauge', name, help, values);
}

function of(type: Metric['type'], name: string, help: string, values: readonly [Labels, number][]): Metric {
  return { name, help, type, aggregator: 'sum', values: values.map(([labels, value]) => ({ labels, value })) };
}
