/**
 * Counters and histograms for frequent events. prom-client checks the labels and builds a key of them for
 * each event; here an event adds to a number, and prom-client receives the sums with each scrape.
 */
import { Counter, Histogram, type Registry } from 'prom-client';

/** Description of a family. */
export interface FamilyOptions<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly L[];
  readonly registry: Registry;
}

/** Description of a family of histograms. */
export interface HistogramFamilyOptions<L extends string> extends FamilyOptions<L> {
  /** Upper bounds in ascending order. */
  readonly buckets: readonly number[];
}

/** Counter of one combination of labels. */
export interface Count {
  add(count: number): void;
}

/** Histogram of one combination of labels. */
export interface Series {
  record(value: number): void;
}

/** A counter at present. */
export interface CountedLabels<L extends string> {
  readonly labels: Readonly<Record<L, string>>;
  readonly count: number;
}

/** Family of counters. */
export class CounterFamily<L extends string> {
  readonly #labelNames: readonly L[];
  readonly #counts = new Map<string, PendingCount<L>>();

  constructor({ name, help, labelNames, registry }: FamilyOptions<L>) {
    this.#labelNames = labelNames;
    const counts = this.#counts;
    new Counter<L>({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const count of counts.values()) this.inc(count.labels, count.take());
      },
    });
  }

  /** All counters at present. */
  get counts(): readonly CountedLabels<L>[] {
    return [...this.#counts.values()].map(({ labels, total }) => ({ labels, count: total }));
  }

  /** Returns the counter with these values of the labels, which begins at 0. */
  of(...values: readonly string[]): Count {
    const key = values.join('\n');
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const count = new PendingCount<L>(labelsOf(this.#labelNames, values));
    this.#counts.set(key, count);
    return count;
  }
}

class PendingCount<L extends string> implements Count {
  readonly labels: Readonly<Record<L, string>>;
  #count = 0;
  #taken = 0;

  constructor(labels: Readonly<Record<L, string>>) {
    this.labels = labels;
  }

  get total(): number {
    return this.#taken + this.#count;
  }

  add(count: number): void {
    this.#count += count;
  }

  /** Returns the sum since the last call. */
  take(): number {
    const count = this.#count;
    this.#taken += count;
    this.#count = 0;
    return count;
  }
}

/** A sample in the form that registries of prom-client print. */
interface Sample {
  readonly metricName: string;
  readonly labels: Record<string, string | number>;
  readonly sharedLabels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Family of histograms. Observations are passed to `record` of their series, not to `observe`. */
export class HistogramFamily<L extends string> extends Histogram<L> {
  readonly #options: HistogramFamilyOptions<L>;
  readonly #series = new Map<string, BucketSeries>();

  constructor(options: HistogramFamilyOptions<L>) {
    const { name, help, labelNames, buckets, registry } = options;
    super({ name, help, labelNames, buckets: [...buckets], registers: [registry] });
    this.#options = options;
  }

  /** Returns the series with these values of the labels. */
  of(...values: readonly string[]): Series {
    const { labelNames, buckets } = this.#options;
    const key = values.join('\n');
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const series = new BucketSeries(labelsOf(labelNames, values), buckets);
    this.#series.set(key, series);
    return series;
  }

  /** Called by registries, and by the constructor of prom-client before this class has members. */
  override reset(): void {
    super.reset();
    if (!(#series in this)) return;
    for (const series of this.#series.values()) series.reset();
  }

  /** Called by registries and by `get`. The declarations of prom-client lack it. */
  async getForPromString(): Promise<object> {
    const { name, help } = this.#options;
    const used = [...this.#series.values()].filter(({ isUsed }) => isUsed);
    const values = used.flatMap((series) => series.samples(name));
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }
}

class BucketSeries implements Series {
  readonly #labels: Readonly<Record<string, string>>;
  readonly #buckets: readonly number[];
  /** Number of observations by their smallest bucket. */
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(labels: Readonly<Record<string, string>>, buckets: readonly number[]) {
    this.#labels = labels;
    this.#buckets = buckets;
    this.#counts = buckets.map(() => 0);
  }

  get isUsed(): boolean {
    return this.#count > 0;
  }

  record(value: number): void {
    this.#sum += value;
    this.#count += 1;
    for (let bucket = 0; bucket < this.#buckets.length; bucket += 1) {
      if (value > (this.#buckets[bucket] ?? Number.POSITIVE_INFINITY)) continue;
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
      return;
    }
  }

  reset(): void {
    this.#sum = 0;
    this.#count = 0;
    this.#counts.fill(0);
  }

  /** Returns the samples of a metric with this name. */
  samples(name: string): readonly Sample[] {
    const sharedLabels = this.#labels;
    const bucket = `${name}_bucket`;
    let below = 0;
    const samples = this.#buckets.map((le, index): Sample => {
      below += this.#counts[index] ?? 0;
      return { metricName: bucket, labels: { le }, sharedLabels, value: below };
    });
    return [
      ...samples,
      { metricName: bucket, labels: { le: '+Inf' }, sharedLabels, value: this.#count },
      { metricName: `${name}_sum`, labels: {}, sharedLabels, value: this.#sum },
      { metricName: `${name}_count`, labels: {}, sharedLabels, value: this.#count },
    ];
  }
}

function labelsOf<L extends string>(names: readonly L[], values: readonly string[]): Record<L, string> {
  // seam: `Object.fromEntries` loses the type of the names
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) as Record<L, string>;
}
