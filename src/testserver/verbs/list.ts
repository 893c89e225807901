/** Lists with limits and `continue`, and reads of single objects. */
import { type JsonObject, omit } from '@kgen/schema/values/json';
import type { Context } from '../call/context.ts';
import type { Verb } from '../call/verb.ts';
import { ofCache, present } from '../decoding/admit.ts';
import { badRequest, expired, tooLargeVersion } from '../errors/failures.ts';
import { type ApiResponse, json } from '../request/request.ts';
import { storagePrefix } from '../resources/type.ts';
import { requiredValue } from '../selectors/fields.ts';
import {
  type ListOptions,
  listOptions,
  parseListVersion,
  parseWatchVersion,
} from '../selectors/list-options.ts';
import { hasSelectors, isSelected } from '../selectors/selection.ts';
import { printShardSelector } from '../selectors/shards.ts';
import { decodeContinue, encodeContinue } from '../store/continue.ts';
import type { Snapshot } from '../store/store.ts';

/** A list with the names and stored objects of its items. */
interface Listed {
  readonly body: JsonObject;
  readonly keys: readonly (readonly [name: string, value: JsonObject])[];
}

/** Handles GET of a collection. */
export function* list(context: Context): Verb<ApiResponse> {
  try {
    const { body } = yield* listObjects(context);
    return json(200, body, [...context.warnings]);
  } catch (error) {
    const { limit, resourceVersion, ...options } = listOptions(context.request.query, context.type, '');
    const isCached = options.continue === '' && (limit === 0 || resourceVersion === '0');
    throw isCached ? ofCache(error, context.type) : error;
  }
}

/**
 * Returns the requested list.
 * @throws {Failure} 400, 410, 422 or 504 if its version is unavailable
 */
export function* listObjects(context: Context): Verb<Listed> {
  const { type } = context;
  const options = listOptions(context.request.query, type, '');
  const state = stateFor(context, options);
  const { items, rest } = yield* pageOf(context, options, state);
  return {
    body: {
      apiVersion: type.apiVersion,
      kind: type.listKind,
      metadata: listMetadata(context, options, state, items.at(-1)?.key ?? '', rest),
      // Only custom resources repeat their kind in each item.
      items: items.map(({ object }) => (type.strategy === 'custom' ? object : withoutKind(object))),
    },
    keys: items.map(({ key, value }) => [key.slice(key.lastIndexOf('/') + 1), value]),
  };
}

function withoutKind(value: JsonObject): JsonObject {
  return omit(value, 'apiVersion', 'kind');
}

/** The objects of one revision, of which a page is taken. */
interface State {
  readonly revision: number;
  /** Keys up to this one are on earlier pages. */
  readonly start: string;
  readonly snapshot: Snapshot;
}

/**
 * The legacy rule: a version with a limit and without a match is exact. An exact version has precedence over
 * the state at present, which serves everything else.
 */
function stateFor(context: Context, options: ListOptions): State {
  if (options.continue !== '') return continued(context, options);
  const requested = parseListVersion(options.resourceVersion);
  const isExact =
    options.resourceVersionMatch === 'Exact' ||
    (options.resourceVersionMatch === '' && options.limit > 0 && requested > 0);
  return isExact ? stateAt(context, requested) : latest(context, requested);
}

function latest({ store, type, namespace }: Context, requested: number): State {
  if (requested > store.revision) throw tooLargeVersion(requested, store.revision);
  const snapshot = store.list(type.storage, storagePrefix(type, namespace));
  return { revision: store.revision, start: '', snapshot };
}

function stateAt(context: Context, revision: number): State {
  const { store, type, namespace } = context;
  if (revision > store.revision) throw tooLargeVersion(revision, store.revision);
  const snapshot = store.listAt(type.storage, storagePrefix(type, namespace), revision);
  if (snapshot === undefined) throw expired('The resourceVersion for the provided list is too old.');
  return { revision, start: '', snapshot };
}

const inconsistent =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

function continued(context: Context, options: ListOptions): State {
  const { store, type, namespace } = context;
  const token = decodeContinue(options.continue);
  if (!['', '0'].includes(options.resourceVersion))
    throw badRequest('specifying resource version is not allowed when using continue');
  const prefix = storagePrefix(type, namespace);
  // The token ends with a NUL after the last key of the previous page.
  const start = prefix + token.start.slice(0, token.start.endsWith('\u0000') ? -1 : undefined);
  if (token.revision < 0) return { ...latest(context, 0), start };
  if (token.revision > store.revision) throw tooLargeVersion(token.revision, store.revision);
  const snapshot = store.listAt(type.storage, prefix, token.revision);
  if (snapshot === undefined) throw expired(inconsistent, encodeContinue({ ...token, revision: -1 }));
  return { revision: token.revision, start, snapshot };
}

/** An object of a list: as stored, and in the version of the request. */
interface Item {
  readonly key: string;
  readonly value: JsonObject;
  readonly object: JsonObject;
}

interface Page {
  readonly items: readonly Item[];
  /** Number of objects after the page, whether they are selected or not. */
  readonly rest: number;
}

function* pageOf({ type }: Context, options: ListOptions, { snapshot, start }: State): Verb<Page> {
  const limit = limitOf(options);
  const items: Item[] = [];
  for (let index = indexAfter(snapshot, start); index < snapshot.length; index += 1) {
    const [key, value] = snapshot[index] ?? ['', {}];
    // As on a real server, there may be a next page whenever objects follow, even if none of them matches.
    if (items.length === limit) return { items, rest: snapshot.length - index };
    const object = yield* present(value, type);
    if (isSelected(object, options.selection)) items.push({ key, value, object });
  }
  return { items, rest: 0 };
}

/** The cache of a real server ignores the limit of version 0, and a list of one name has one page. */
function limitOf({ limit, resourceVersion, selection, ...options }: ListOptions): number {
  const isSingle = options.continue === '' && requiredValue(selection.fields, 'metadata.name') !== undefined;
  return limit === 0 || resourceVersion === '0' || isSingle ? Number.POSITIVE_INFINITY : limit;
}

/** Returns the index of the first key after `start`, by bisection. */
function indexAfter(snapshot: Snapshot, start: string): number {
  let [low, high] = [0, start === '' ? 0 : snapshot.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((snapshot[middle]?.[0] ?? '') > start) high = middle;
    else low = middle + 1;
  }
  return low;
}

function listMetadata(
  { type, namespace }: Context,
  { selection }: ListOptions,
  { revision }: State,
  last: string,
  rest: number,
): JsonObject {
  const start = `${last.slice(storagePrefix(type, namespace).length)}\u0000`;
  const token = rest > 0 ? encodeContinue({ revision, start }) : '';
  // Lists of custom resources have an empty `continue` at the end, but no shardInfo.
  const isCustom = type.strategy === 'custom';
  const shard = isCustom ? '' : printShardSelector(selection.shards);
  return {
    resourceVersion: String(revision),
    ...(token !== '' || isCustom ? { continue: token } : {}),
    ...(rest > 0 && !hasSelectors(selection) ? { remainingItemCount: rest } : {}),
    ...(shard === '' ? {} : { shardInfo: { selector: shard } }),
  };
}

/** Handles GET of one object. */
export function* get(context: Context, current: (context: Context) => Verb<JsonObject>): Verb<ApiResponse> {
  const version = context.request.query.get('resourceVersion') ?? '';
  // A real server has no cache of events: their versions are parsed as those of lists.
  const isCached = context.type.storage !== 'events';
  const requested = isCached ? parseWatchVersion(version) : parseListVersion(version);
  if (requested > context.store.revision) throw tooLargeVersion(requested, context.store.revision);
  return json(200, yield* current(context), [...context.warnings]);
}
