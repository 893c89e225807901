import type { Stored } from '../types.ts';

/** An object was created, or existed when the watch began. */
export interface AddedEvent<T> {
  readonly type: 'ADDED';
  readonly object: Stored<T>;
}

/** An object was changed. */
export interface ModifiedEvent<T> {
  readonly type: 'MODIFIED';
  readonly object: Stored<T>;
}

/** An object is gone; this is its last state. */
export interface DeletedEvent<T> {
  readonly type: 'DELETED';
  readonly object: Stored<T>;
}

/** Nothing happened up to this version. Only where `bookmarks` was asked for. */
export interface BookmarkEvent {
  readonly type: 'BOOKMARK';
  readonly object: { readonly metadata: BookmarkMeta };
}

/** What a bookmark knows: how far the watch has come. */
export interface BookmarkMeta {
  readonly resourceVersion: string;
  readonly annotations?: { readonly [key: string]: string };
}

/**
 * One step of a watch; `type` narrows it.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 */
export type WatchEvent<T> = AddedEvent<T> | ModifiedEvent<T> | DeletedEvent<T>;

/** The annotation of a bookmark behind everything that existed when a watch began; its value is `"true"`. */
export const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
