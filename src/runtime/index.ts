/** The run-time half of kgen: REST, configuration, watch and cache for generated Kubernetes clients. */
export type { AuthConfig, ClusterConfig, TlsConfig } from './config/types.ts';
export type * from './meta.ts';
export type * from './options.ts';
export type * from './resource.ts';
export { defineResource } from './resource.ts';
export type { Method, Operation, Request, Response, Transport } from './rest/types.ts';
export type * from './types.ts';
export type * from './verbs.ts';
export type { AddedEvent, BookmarkEvent, BookmarkMeta, DeletedEvent, ModifiedEvent, WatchEvent } from './watch/events.ts';
export type { ListParams, ListWatch, WatchParams } from './watch/source.ts';
