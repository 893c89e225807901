/** Informers over sources of one's own: lists and watches, clocks. */

export type { InformerSource } from '../cache/factory.ts';
export type { InformerOf } from '../cache/group-informers.ts';
export type { ObjectShard } from '../cache/informer/object-shard.ts';
export type { ListWatchOptions } from '../client/reading/list-watch.ts';
export { listWatch } from '../client/reading/list-watch.ts';
export type { Clock, RandomSource, RuntimeEnvironment } from '../common/clock.ts';
export { systemEnvironment } from '../common/clock.ts';
export type { Timing } from '../common/timing.ts';
export type { ListParams, ListWatch, ObjectList, UnreadableItem, WatchParams } from '../watch/source.ts';
