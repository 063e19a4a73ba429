/** Prometheus metrics in a registry of their own, so that two systems in one process do not mix. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

const prefix = "molva_";

export interface Metrics {
  counter<Label extends string = never>(spec: MetricSpec<Label>): Counter<Label>;
  /** `collect` computes the value at every scrape. */
  gauge<Label extends string = never>(
    spec: MetricSpec<Label> & { collect?: (gauge: Gauge<Label>) => void | Promise<void> },
  ): Gauge<Label>;
  histogram<Label extends string = never>(
    spec: MetricSpec<Label> & { buckets?: readonly number[] },
  ): Histogram<Label>;
  /** Everything in the text format of `contentType`. */
  render(): Promise<string>;
  readonly contentType: string;
}

export interface MetricSpec<Label extends string = string> {
  /** Without the `molva_` prefix, which is added. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
}

/** For durations from a database round trip to a slow provider. */
export const secondsBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix });

  const common = <Label extends string>({ name, help, labels = [] }: MetricSpec<Label>) => ({
    name: `${prefix}${name}`,
    help,
    labelNames: [...labels],
    registers: [registry],
  });

  return {
    counter: (spec) => new Counter(common(spec)),
    gauge: ({ collect, ...spec }) => {
      if (!collect) return new Gauge(common(spec));
      return new Gauge({
        ...common(spec),
        collect() {
          return collect(this);
        },
      });
    },
    histogram: ({ buckets = secondsBuckets, ...spec }) =>
      new Histogram({ ...common(spec), buckets: [...buckets] }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
