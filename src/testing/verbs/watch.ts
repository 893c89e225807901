import { expired, invalid, tooLargeVersion } from '../api/failures.ts';
import { type FieldError, forbiddenField, notSupported } from '../api/fielderror.ts';
import type { Answer, WatchEvent, WatchPlan } from '../api/request.ts';
import { statusOf } from '../api/status.ts';
import { storagePrefix } from '../resources/type.ts';
import type { Change } from '../store/store.ts';
import { type JsonObject, putAt } from '../values/json.ts';
import { present } from './admit.ts';
import type { Context } from './context.ts';
import { isSelected, type Selection, selectionOf, versionOf } from './list.ts';
import { boolean, integer } from './options.ts';

/**
 * Handles GET with `watch=true`. Without a resourceVersion (or with "0") it starts with an ADDED event for
 * every existing object; with a resourceVersion, it starts with the later changes. As on a real server, a
 * compacted version results in an ERROR event in a response with status 200.
 */
export function watch(context: Context): Answer {
  const { query } = context.request;
  const errors = watchErrors(query);
  if (errors.length > 0) throw invalid('meta.k8s.io', 'ListOptions', '', errors);
  return { kind: 'watch', plan: plan(context, selectionOf(context)), warnings: [...context.warnings] };
}

function plan(context: Context, selection: Selection): WatchPlan {
  const { query } = context.request;
  const step = (change: Change): WatchEvent | undefined => eventFor(context, selection, change);
  const bookmarks = boolean(query, 'allowWatchBookmarks') === true;
  const base = {
    step,
    bookmark: bookmarks ? (revision: number): WatchEvent => bookmark(context, revision) : undefined,
    timeoutSeconds: integer(query, 'timeoutSeconds'),
    ended: false,
  };
  const sendInitial = boolean(query, 'sendInitialEvents');
  const version = versionOf(query);
  if (sendInitial === true) return { ...base, initial: initialList(context, selection, version, bookmarks) };
  if (sendInitial === undefined && version === 0)
    return { ...base, initial: addedEvents(context, selection) };
  return since(context, base, version === 0 ? context.store.revision : version);
}

function since(context: Context, base: Omit<WatchPlan, 'initial'>, version: number): WatchPlan {
  const { store, type } = context;
  const changes = store.since(type.storage, version);
  if (changes !== undefined)
    return { ...base, initial: changes.flatMap((change) => base.step(change) ?? []) };
  const { problem } = expired(`too old resource version: ${version} (${store.compacted})`);
  return { ...base, initial: [{ type: 'ERROR', object: statusOf(problem) }], ended: true };
}

function addedEvents(context: Context, selection: Selection): readonly WatchEvent[] {
  const { store, type, namespace } = context;
  return store
    .list(type.storage, storagePrefix(type, namespace))
    .map(([, value]) => present(value, type))
    .filter((object) => isSelected(object, selection))
    .map((object) => ({ type: 'ADDED', object }));
}

/** Returns the list as events, followed by the bookmark that marks its end. */
function initialList(
  context: Context,
  selection: Selection,
  version: number,
  bookmarks: boolean,
): readonly WatchEvent[] {
  const { store } = context;
  if (version > store.revision) throw tooLargeVersion(version, store.revision);
  const end = bookmark(context, store.revision, { 'k8s.io/initial-events-end': 'true' });
  return [...addedEvents(context, selection), ...(bookmarks ? [end] : [])];
}

function bookmark({ type }: Context, revision: number, annotations?: JsonObject): WatchEvent {
  const metadata = {
    resourceVersion: String(revision),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return { type: 'BOOKMARK', object: { kind: type.kind, apiVersion: type.apiVersion, metadata } };
}

/**
 * Returns the event of a change: an object that leaves the selection is reported as deleted, one that enters
 * it as added.
 */
function eventFor(context: Context, selection: Selection, change: Change): WatchEvent | undefined {
  const { type, namespace } = context;
  if (change.resource !== type.storage || !change.key.startsWith(storagePrefix(type, namespace)))
    return undefined;
  const object = present(change.object, type);
  const previous = change.previous === undefined ? undefined : present(change.previous, type);
  const before = previous !== undefined && isSelected(previous, selection);
  const after = change.type !== 'DELETED' && isSelected(object, selection);
  if (after) return { type: before ? 'MODIFIED' : 'ADDED', object };
  if (!before || previous === undefined) return undefined;
  return {
    type: 'DELETED',
    object: change.type === 'DELETED' ? object : withRevision(previous, change.revision),
  };
}

/** Returns the last state in the selection, with the version of the change that removed it. */
function withRevision(value: JsonObject, revision: number): JsonObject {
  return putAt(value, ['metadata', 'resourceVersion'], String(revision));
}

function watchErrors(query: URLSearchParams): readonly FieldError[] {
  const match = query.get('resourceVersionMatch') ?? '';
  const initial = query.has('sendInitialEvents');
  const field = 'resourceVersionMatch';
  return [
    ...(initial && match !== 'NotOlderThan'
      ? [forbiddenField(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')]
      : []),
    ...(match !== '' && !initial
      ? [
          forbiddenField(
            field,
            'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
          ),
        ]
      : []),
    ...(match !== '' && match !== 'NotOlderThan' ? [notSupported(field, match, ['NotOlderThan'])] : []),
  ];
}
