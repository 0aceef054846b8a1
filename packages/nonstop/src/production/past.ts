import type { Metric } from './metrics.js';

type Value = Metric['values'][number];

/**
 * The sum of the counters of ended processes. Without it a total would fall with each replacement. Prometheus takes that for a restart, and its
 * `rate()` would count the total of the other processes again.
 */
export class Past {
  private readonly metrics = new Map<string, { readonly of: Metric; readonly values: Map<string, Value> }>();

  /** Adds those metrics of a process that only grow: counters, histograms, and the sum and the count of summaries. */
  add(metrics: readonly Metric[]): void {
    for (const metric of metrics) {
      if (metric.type === 'gauge' || (metric.aggregator ?? 'sum') !== 'sum') continue;
      // Quantiles cannot be added up.
      const isQuantile = (value: Value): boolean => metric.type === 'summary' && value.metricName === undefined;
      this.addOne(
        metric,
        metric.values.filter((value) => !isQuantile(value)),
      );
    }
  }

  private addOne(metric: Metric, values: readonly Value[]): void {
    let kept = this.metrics.get(metric.name);
    if (kept === undefined) this.metrics.set(metric.name, (kept = { of: metric, values: new Map() }));
    for (const value of values) {
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
