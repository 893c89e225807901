/** Metrics of informers, with the names, labels and buckets of KEP-4346, and those of kgen. */
import type { Informer, KubernetesObject } from '@kgen/runtime';
import type { InformerStats } from '@kgen/runtime/informers';
import { Counter, Gauge, type Registry } from 'prom-client';
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

/** Parts of an informer that its metrics read. */
export interface MeasuredInformer extends Pick<Informer<KubernetesObject>, 'isWhole' | 'estimateBytes'> {
  stats(): Pick<
    InformerStats,
    'queued' | 'resourceVersions' | 'objects' | 'decodeJsonMs' | 'decodeProtobufMs'
  >;
}

type Label = keyof InformerLabels;
const labelNames: readonly Label[] = ['name', 'group', 'version', 'resource'];
/** In seconds. */
const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Number of least significant digits of a resource version that a sample represents exactly. */
const versionDigits = 15;

/** Metric that scrapes read from informers. */
interface ReadMetric {
  readonly type: typeof Gauge | typeof Counter;
  readonly name: string;
  readonly help: string;
  /** Label besides those of the informer. */
  readonly label?: string;
  /** Returns the values by the value of that label. */
  valuesOf(informer: MeasuredInformer): Readonly<Record<string, number | undefined>>;
}

const formOf = ({ isWhole }: MeasuredInformer): string => (isWhole ? 'whole' : 'reduced');

const readMetrics: readonly ReadMetric[] = [
  {
    type: Gauge,
    name: 'informer_queued_items',
    help: 'Number of items in the informer queue.',
    valuesOf: (informer) => ({ '': informer.stats().queued }),
  },
  {
    type: Gauge,
    name: 'informer_store_resource_version',
    help: 'The 15 least significant digits of the resource version of the store.',
    valuesOf: (informer) => ({ '': latestVersion(informer.stats().resourceVersions.values()) }),
  },
  {
    type: Gauge,
    name: 'kgen_informer_objects',
    help: 'Number of cached objects, whole or reduced to selected fields or metadata',
    label: 'form',
    valuesOf: (informer) => ({ [formOf(informer)]: informer.stats().objects }),
  },
  {
    type: Gauge,
    name: 'kgen_informer_store_bytes',
    help: 'Estimated memory of the cached objects',
    label: 'form',
    valuesOf: (informer) => ({ [formOf(informer)]: informer.estimateBytes() }),
  },
  {
    type: Counter,
    name: 'kgen_informer_decode_seconds_total',
    help: 'Time in which lists and events were decoded',
    label: 'encoding',
    valuesOf: (informer) => {
      const { decodeJsonMs, decodeProtobufMs } = informer.stats();
      return { json: decodeJsonMs / 1000, protobuf: decodeProtobufMs / 1000 };
    },
  },
];

interface ObservedInformer {
  readonly labels: InformerLabels;
  readonly informer: MeasuredInformer;
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
    for (const metric of readMetrics) this.#register(registry, metric);
  }

  /** Returns the metrics of one informer, whose state each scrape reads. */
  of(labels: InformerLabels, informer: MeasuredInformer): InformerMetrics {
    const observed: ObservedInformer = { labels: { ...labels }, informer };
    this.#informers.add(observed);
    const { name, group, version, resource } = labels;
    const latency = this.#latency.of(name, group, version, resource);
    return {
      processed: (durationMs) => latency.record(durationMs / 1000),
      close: () => void this.#informers.delete(observed),
    };
  }

  #register(registry: Registry, { type: Metric, name, help, label, valuesOf }: ReadMetric): void {
    const informers = this.#informers;
    new Metric({
      name,
      help,
      labelNames: label === undefined ? labelNames : [...labelNames, label],
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, informer } of informers) {
          for (const [value, number] of Object.entries(valuesOf(informer))) {
            if (number === undefined) continue;
            this.inc(label === undefined ? { ...labels } : { ...labels, [label]: value }, number);
          }
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
