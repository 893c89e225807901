/** Informers over sources of one's own: lists and watches, clocks; types of their options and statistics. */

export type { InformerSource } from '../cache/factory.ts';
export type { InformerOf } from '../cache/group-informers.ts';
export type { HandledContext, HandleOptions, RelistContext } from '../cache/informer/informer.ts';
export type { InformerStats } from '../cache/informer/informer-stats.ts';
export type { ObjectShard } from '../cache/informer/object-shard.ts';
export type {
  RecordedWrite,
  SharedInformersOptions,
  StartOptions,
  WaitForSyncOptions,
  WrittenObject,
} from '../cache/informer/shared-informers.ts';
export type { ListerOptions, NamespacedListerOptions } from '../cache/lister/lister.ts';
export type { RelistReason } from '../cache/reflector/reflector-state.ts';
export type { IndexFunction } from '../cache/store/indexer.ts';
export type { ListWatchOptions } from '../client/reading/list-watch.ts';
export { listWatch } from '../client/reading/list-watch.ts';
export type { Clock, RandomSource, RuntimeEnvironment } from '../common/clock.ts';
export { systemEnvironment } from '../common/clock.ts';
export type { Timing } from '../common/timing.ts';
export type { ListParams, ListWatch, ObjectList, UnreadableItem, WatchParams } from '../watch/source.ts';
