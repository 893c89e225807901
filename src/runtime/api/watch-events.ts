import type { Stored } from './types.ts';

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

/** An object was deleted; `object` is its last state. */
export interface DeletedEvent<T> {
  readonly type: 'DELETED';
  readonly object: Stored<T>;
}

/** All changes up to this resourceVersion have been sent. Requires the option `bookmarks`. */
export interface BookmarkEvent {
  readonly type: 'BOOKMARK';
  readonly object: { readonly metadata: BookmarkMeta };
}

/** Metadata of a bookmark: the resourceVersion that the watch has reached. */
export interface BookmarkMeta {
  readonly resourceVersion: string;
  readonly annotations?: { readonly [key: string]: string };
}

/**
 * One event of a watch; `type` narrows it.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 */
export type WatchEvent<T> = AddedEvent<T> | ModifiedEvent<T> | DeletedEvent<T>;

/** Annotation of the bookmark that follows the initial events of a watch; its value is `"true"`. */
export const initialEventsEnd = 'k8s.io/initial-events-end';
