import { type JsonObject, putAt } from '@kgen/schema/values/json';
import type { Context } from '../call/context.ts';
import { runVerb, type Verb } from '../call/verb.ts';
import { ofCache, present } from '../decoding/admit.ts';
import { expired, tooLargeVersion } from '../errors/failures.ts';
import { Failure, statusOf } from '../errors/status.ts';
import type { ApiResponse, WatchEvent, WatchPlan } from '../request/request.ts';
import { emptyObject } from '../resources/builtin/strategy.ts';
import { type ResourceType, storagePrefix } from '../resources/type.ts';
import { type ListOptions, listOptions, parseWatchVersion } from '../selectors/list-options.ts';
import { hasSelectors, isSelected, type Selection } from '../selectors/selection.ts';
import type { Change } from '../store/store.ts';

/**
 * Handles a watch. Without a resourceVersion (or with "0") it starts with an ADDED event for every existing
 * object; with a resourceVersion, it starts with the later changes. As on a real server, a version that is
 * compacted or in the future results in an ERROR event in a response with status 200.
 */
export function* watch(context: Context): Verb<ApiResponse> {
  const options = listOptions(context.request.query, context.type, context.name);
  const version = parseWatchVersion(options.resourceVersion);
  return { kind: 'watch', plan: yield* plan(context, options, version), warnings: [...context.warnings] };
}

function* plan(context: Context, options: ListOptions, version: number): Verb<WatchPlan> {
  const { store, type } = context;
  const { selection, sendInitialEvents } = options;
  const base = {
    resource: type.storage,
    channel: channelOf(context, version),
    // Changes up to a version in the future are not sent either.
    revision: Math.max(store.revision, version),
    step: (change: Change): ReturnType<WatchPlan['step']> => runVerb(eventFor(context, selection, change)),
    bookmark: options.bookmarks ? (revision: number): WatchEvent => bookmark(type, revision) : undefined,
    timeoutSeconds: options.timeoutSeconds,
    startsWithState: sendInitialEvents ?? version === 0,
    ended: false,
  };
  try {
    if (sendInitialEvents === true)
      return { ...base, initial: yield* initialList(context, options, version) };
    // Only the deprecated paths have no version and no default of sendInitialEvents.
    if (sendInitialEvents === undefined && version === 0)
      return { ...base, initial: yield* addedEvents(context, selection) };
    return { ...base, initial: version === 0 ? [] : yield* laterEvents(context, selection, version) };
  } catch (error) {
    const known = ofCache(error, type);
    if (known !== error || !(error instanceof Failure)) throw known;
    return { ...base, initial: [{ type: 'ERROR', object: statusOf(error.problem) }], ended: true };
  }
}

const numbers = new WeakMap<ResourceType, number>();
let lastNumber = 0;

/** Returns a string that is equal for watches with equal events. */
function channelOf({ store, type, namespace, name, request: { query } }: Context, version: number): string {
  const number = numbers.get(type) ?? lastNumber + 1;
  lastNumber = Math.max(lastNumber, number);
  numbers.set(type, number);
  const selectors = ['labelSelector', 'fieldSelector', 'shardSelector'].map((each) => query.get(each) ?? '');
  const future = version > store.revision ? version : 0;
  return JSON.stringify([number, namespace, name, ...selectors, future]);
}

/** Returns the changes after a version. Those of a version in the future are all later ones. */
function* laterEvents(context: Context, selection: Selection, version: number): Verb<readonly WatchEvent[]> {
  const { store, type } = context;
  const changes = store.watchable(type.storage, version);
  if (changes === undefined)
    throw expired(`too old resource version: ${version} (${store.oldest(type.storage)})`);
  const events: WatchEvent[] = [];
  for (const change of changes) {
    const event = yield* eventFor(context, selection, change);
    if (event !== undefined) events.push(event);
  }
  return events;
}

function* addedEvents(context: Context, selection: Selection): Verb<readonly WatchEvent[]> {
  const { store, type, namespace } = context;
  const events: WatchEvent[] = [];
  for (const [, value] of store.list(type.storage, storagePrefix(type, namespace))) {
    const object = yield* present(value, type);
    if (isSelected(object, selection)) events.push({ type: 'ADDED', object });
  }
  return events;
}

/** Returns the list as events, followed by the bookmark that marks its end. */
function* initialList(
  context: Context,
  { selection, bookmarks }: ListOptions,
  version: number,
): Verb<readonly WatchEvent[]> {
  const { store, type } = context;
  const { revision } = store;
  if (version > revision) throw tooLargeVersion(version, revision);
  const end = bookmark(type, revision, { 'k8s.io/initial-events-end': 'true' });
  return [...(yield* addedEvents(context, selection)), ...(bookmarks ? [end] : [])];
}

/** Annotation into which the conversion of a DaemonSet writes a member of its first versions. */
const templateGeneration = { 'deprecated.daemonset.template.generation': '0' };

function bookmark(type: ResourceType, revision: number, annotations?: JsonObject): WatchEvent {
  const converted =
    type.storage === 'daemonsets.apps' ? { ...templateGeneration, ...annotations } : annotations;
  const metadata = {
    resourceVersion: String(revision),
    ...(converted === undefined ? {} : { annotations: converted }),
  };
  return {
    type: 'BOOKMARK',
    object: { kind: type.kind, apiVersion: type.apiVersion, ...emptyObject(type), metadata },
  };
}

/**
 * Returns the event of a change: an object that leaves the selection is reported as deleted, one that enters
 * it as added.
 */
function* eventFor(context: Context, selection: Selection, change: Change): Verb<WatchEvent | undefined> {
  const { type, namespace } = context;
  if (change.resource !== type.storage || !change.key.startsWith(storagePrefix(type, namespace)))
    return undefined;
  const object = yield* present(change.object, type);
  if (!hasSelectors(selection) && selection.shards.length === 0) return { type: change.type, object };
  const previous = change.previous === undefined ? undefined : yield* present(change.previous, type);
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
