/** Memory and counters of a manager: of its informers, controllers and skipped writes. */

import type { Informer, KubernetesObject } from '@kgen/runtime';
import type { InformerStats } from '@kgen/runtime/informers';
import type { ControllerMetrics } from './controller-metrics.ts';
import type { CountedLabels } from './series.ts';

/** Counters and gauges of an informer of a manager. */
export interface ManagedInformerStats extends InformerStats {
  readonly name: string;
  readonly resource: Informer<KubernetesObject>['resource'];
  /**
   * Whether the objects are stored as the server sends them, rather than selected fields or metadata of them.
   */
  readonly isWhole: boolean;
  /** Gauge: estimated memory of the cached objects, in bytes: `estimateBytes()` of the informer. */
  readonly bytes: number;
}

/** Number of writes of one kind that were skipped because they would change nothing. */
export interface SkippedWrites {
  readonly group: string;
  /** Plural name: `deployments`. */
  readonly resource: string;
  readonly verb: string;
  /** Counter. */
  readonly count: number;
}

/** Counters and gauges of a controller of a manager. */
export interface ManagedControllerStats {
  readonly name: string;
  /** Skipped writes of its runs. */
  readonly skippedWrites: readonly SkippedWrites[];
  /** Keys that were reported because they kept writing, and keys whose writes are counted at present. */
  readonly loops: { readonly reported: number; readonly keys: number };
  /** Gauge: records of the last reconciles, and their estimated memory in bytes. */
  readonly records: { readonly keys: number; readonly bytes: number };
}

/** Memory of the last writes, by which writes without an effect are recognized. */
export interface RememberedWrites {
  /** Gauge: number of objects. */
  readonly objects: number;
  /** Gauge: estimated memory in bytes. */
  readonly bytes: number;
}

/** Memory and counters of a manager: `stats()` of a `Manager`. */
export interface ManagerStats {
  /** Informers of the controllers. */
  readonly informers: readonly ManagedInformerStats[];
  readonly controllers: readonly ManagedControllerStats[];
  readonly rememberedWrites: RememberedWrites;
}

/** A controller, as its counters and gauges are read. */
export interface MeasuredController {
  readonly name: string;
  /** Number of keys whose writes are counted to find loops. */
  readonly countedKeys: number;
  readonly records: ManagedControllerStats['records'];
}

/** Parts of a manager whose memory is estimated. */
export interface MeasuredManager {
  readonly informers: readonly Informer<KubernetesObject>[];
  readonly controllers: readonly MeasuredController[];
  readonly rememberedWrites: RememberedWrites;
  readonly reconciliations: Pick<ControllerMetrics, 'countsOf'>;
}

/** Returns the memory and counters of a manager. */
export function statsOf(manager: MeasuredManager): ManagerStats {
  const { informers, controllers, rememberedWrites, reconciliations } = manager;
  return {
    informers: informers.map((informer) => {
      const { name, resource, isWhole } = informer;
      return { name, resource, isWhole, ...informer.stats(), bytes: informer.estimateBytes() };
    }),
    controllers: controllers.map(({ name, countedKeys, records }) => {
      const reported = reconciliations.countsOf('looped', name).reduce((sum, { count }) => sum + count, 0);
      return {
        name,
        skippedWrites: reconciliations.countsOf('skippedWrite', name).map(skippedWrites),
        loops: { reported, keys: countedKeys },
        records: { keys: records.keys, bytes: records.bytes },
      };
    }),
    rememberedWrites,
  };
}

function skippedWrites({ labels, count }: CountedLabels<string>): SkippedWrites {
  const { group = '', resource = '', verb = '' } = labels;
  return { group, resource, verb, count };
}
