import type { Metric } from './metrics.js';

type Value = Metric['values'][number];

/**
 * The sum of the counters of ended processes. Without it a total would fall with each replacement. Prometheus takes that for a restart, and its
 * `rate()` would count the total of the other processes again.
 */
export class Past {
  private readonly metrics = new Map<string, { readonly of: Metric; readonly values: Map<string, Value> }>();

  /** Adds the counters and histograms among the metrics of a process. */
  add(metrics: readonly Metric[]): void {
    for (const metric of metrics) {
      const counts = metric.type === 'counter' || metric.type === 'histogram';
      if (counts && (metric.aggregator ?? 'sum') === 'sum') this.addOne(metric);
    }
  }

  private addOne(metric: Metric): void {
    let kept = this.metrics.get(metric.name);
    if (kept === undefined) this.metrics.set(metric.name, (kept = { of: metric, values: new Map() }));
    for (const value of metric.values) {
      const labels = Object.entries(value.labels).map((label) => JSON.stringify(label));
      const key = [value.metricName, ...labels.toSorted()].join();
      const before = kept.values.get(key);
      kept.values.set(key, before === undefined ? value : { ...before, value: before.value + value.value });
    }
  }

  all(): Metric[] {
    return [...this.metrics.values()].map(({ of, values }) => ({ ...of, values: [...values.values()] }));
  }
}
