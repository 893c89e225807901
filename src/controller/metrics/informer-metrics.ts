/** Metrics of informers, with the names, labels and buckets of KEP-4346. */
import type { InformerStats } from '@kgen/runtime/informers';
import { Gauge, type Registry } from 'prom-client';
import { HistogramFamily } from './series.ts';

/** Labels of an informer. */
export interface InformerLabels {
  /** Name of the informer set, such as that of the manager. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  /** Plural of the resource. */
  readonly resource: string;
}

/** Metrics of one informer. */
export interface InformerMetrics {
  /** Called after handlers have processed pending events, with their duration in milliseconds. */
  processed(durationMs: number): void;
  /** Removes the gauges of the informer. */
  close(): void;
}

/** Gauges of an informer: part of `stats()` of an `Informer`. */
export type InformerState = Pick<InformerStats, 'queued' | 'resourceVersions'>;

type Label = keyof InformerLabels;
const labelNames: readonly Label[] = ['name', 'group', 'version', 'resource'];
/** In seconds. */
const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Number of least significant digits of a resource version that a sample represents exactly. */
const versionDigits = 15;

interface ObservedInformer {
  readonly labels: InformerLabels;
  readonly state: () => InformerState;
}

/** Metric families of the informers of a registry. */
export class InformerFamilies {
  readonly #informers = new Set<ObservedInformer>();
  readonly #latency: HistogramFamily<Label>;

  constructor(registry: Registry) {
    this.#latency = new HistogramFamily({
      name: 'informer_processing_latency_seconds',
      help: 'Time taken to process events after popping from the queue.',
      labelNames,
      buckets,
      registry,
    });
    this.#gauge(registry, {
      name: 'informer_queued_items',
      help: 'Number of items in the informer queue.',
      numberOf: ({ queued }) => queued,
    });
    this.#gauge(registry, {
      name: 'informer_store_resource_version',
      help: 'The 15 least significant digits of the resource version of the store.',
      numberOf: ({ resourceVersions }) => latestVersion(resourceVersions.values()),
    });
  }

  /** Returns the metrics of one informer, whose state each scrape reads. */
  of(labels: InformerLabels, state: () => InformerState): InformerMetrics {
    const informer: ObservedInformer = { labels: { ...labels }, state };
    this.#informers.add(informer);
    const { name, group, version, resource } = labels;
    const latency = this.#latency.of(name, group, version, resource);
    return {
      processed: (durationMs) => latency.record(durationMs / 1000),
      close: () => void this.#informers.delete(informer),
    };
  }

  #gauge(
    registry: Registry,
    {
      numberOf,
      ...metric
    }: {
      readonly name: string;
      readonly help: string;
      readonly numberOf: (state: InformerState) => number | undefined;
    },
  ): void {
    const informers = this.#informers;
    new Gauge({
      ...metric,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, state } of informers) {
          const value = numberOf(state());
          if (value !== undefined) this.set({ ...labels }, value);
        }
      },
    });
  }
}

/** Versions are decimal numbers of any length, of which the greatest is the longest, then the last. */
function latestVersion(versions: Iterable<string>): number | undefined {
  const latest = [...versions]
    .filter((version) => /^[1-9]\d*$/.test(version))
    .reduce((a, b) => (b.length > a.length || (b.length === a.length && b > a) ? b : a), '');
  return latest === '' ? undefined : Number(latest.slice(-versionDigits));
}
