import { badRequest, expired, invalid, tooLargeVersion } from '../api/failures.ts';
import { type FieldError, forbiddenField, notSupported } from '../api/fielderror.ts';
import { type Answer, json } from '../api/request.ts';
import { Failure } from '../api/status.ts';
import { selectableFields, storagePrefix } from '../resources/type.ts';
import { type FieldRequirement, matchesFields, parseFieldSelector } from '../selectors/fields.ts';
import { matchesLabels, parseLabelSelector, type Requirement } from '../selectors/labels.ts';
import { matchesShards, parseShardSelector } from '../selectors/shards.ts';
import { decodeContinue, encodeContinue } from '../store/continue.ts';
import type { Snapshot } from '../store/store.ts';
import type { JsonObject } from '../values/json.ts';
import { present } from './admit.ts';
import type { Context } from './context.ts';
import { boolean, integer } from './options.ts';

/** Selection of objects for a list or a watch. */
export interface Selection {
  readonly labels: readonly Requirement[];
  readonly fields: readonly FieldRequirement[];
  readonly shards: ReturnType<typeof parseShardSelector>;
}

/**
 * Reads the selectors of a request.
 * @throws {Failure} 400
 */
export function selectionOf(context: Context): Selection {
  const { query } = context.request;
  return {
    labels: parseLabelSelector(query.get('labelSelector') ?? ''),
    fields: parseFieldSelector(query.get('fieldSelector') ?? '', selectableFields(context.type)),
    shards: parseShardSelector(query.get('shardSelector') ?? ''),
  };
}

/** Returns whether an object is part of a selection. */
export function isSelected(value: JsonObject, selection: Selection): boolean {
  const { labels, fields, shards } = selection;
  return matchesLabels(value, labels) && matchesFields(value, fields) && matchesShards(value, shards);
}

/** A list with the names and stored objects of its items. */
interface Listed {
  readonly body: JsonObject;
  readonly keys: readonly (readonly [name: string, value: JsonObject])[];
}

/** Handles GET of a collection. */
export function list(context: Context): Answer {
  return json(200, listObjects(context).body, [...context.warnings]);
}

/**
 * Returns the requested list.
 * @throws {Failure} 400, 410, 422 or 504 if its version is unavailable
 */
export function listObjects(context: Context): Listed {
  const { query } = context.request;
  const errors = versionErrors(query);
  if (errors.length > 0) throw invalid('meta.k8s.io', 'ListOptions', '', errors);
  const { revision, start, snapshot } = stateFor(context);
  const selection = selectionOf(context);
  const matching = snapshot.filter(
    ([key, value]) => key > start && isSelected(present(value, context.type), selection),
  );
  const limit = integer(query, 'limit') ?? 0;
  const page = limit > 0 ? matching.slice(0, limit) : matching;
  const last = page.at(-1)?.[0] ?? '';
  // As on a real server, there may be a next page whenever objects follow, even if none of them matches.
  const rest = limit > 0 && page.length === limit ? snapshot.filter(([key]) => key > last).length : 0;
  const isPlain = Object.values(selection).every((requirements) => requirements.length === 0);
  const shard = selection.shards.length > 0 ? query.get('shardSelector') : null;
  const prefix = storagePrefix(context.type, context.namespace);
  const token = rest > 0 ? encodeContinue({ revision, start: `${last.slice(prefix.length)}\u0000` }) : '';
  const body = {
    apiVersion: context.type.apiVersion,
    kind: context.type.listKind,
    metadata: {
      resourceVersion: String(revision),
      // Lists of custom resources have an empty `continue` at the end; other lists omit it.
      ...(token !== '' || context.type.strategy === 'custom' ? { continue: token } : {}),
      ...(rest > 0 && isPlain ? { remainingItemCount: rest } : {}),
      ...(shard === null ? {} : { shardInfo: { selector: shard } }),
    },
    items: page.map(([, value]) => present(value, context.type)),
  };
  return { body, keys: page.map(([key, value]) => [key.slice(key.lastIndexOf('/') + 1), value]) };
}

interface State {
  readonly revision: number;
  /** Keys up to this one are on earlier pages. */
  readonly start: string;
  readonly snapshot: Snapshot;
}

function stateFor(context: Context): State {
  const { query } = context.request;
  const token = query.get('continue') ?? '';
  if (token !== '') return continued(context, token);
  const wanted = versionOf(query);
  const exact = query.get('resourceVersionMatch') === 'Exact';
  const legacy = (integer(query, 'limit') ?? 0) > 0 && !query.get('resourceVersionMatch');
  return wanted > 0 && (exact || legacy) ? stateAt(context, wanted) : latest(context, wanted);
}

function latest({ store, type, namespace }: Context, wanted: number): State {
  if (wanted > store.revision) throw tooLargeVersion(wanted, store.revision);
  return {
    revision: store.revision,
    start: '',
    snapshot: store.list(type.storage, storagePrefix(type, namespace)),
  };
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

function continued(context: Context, text: string): State {
  const { store, type, namespace } = context;
  const { query } = context.request;
  if (!['', '0'].includes(query.get('resourceVersion') ?? '')) {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const token = decodeContinue(text);
  const prefix = storagePrefix(type, namespace);
  // The token ends with a NUL after the last key of the previous page.
  const start = prefix + token.start.slice(0, -1);
  if (token.revision < 0) return { ...latest(context, 0), start };
  const snapshot = store.listAt(type.storage, prefix, token.revision);
  if (snapshot === undefined) throw expired(inconsistent, encodeContinue({ ...token, revision: -1 }));
  return { revision: token.revision, start, snapshot };
}

/**
 * Parses the resourceVersion of a query; 0 if it is absent or "0".
 * @throws {Failure} 400 if it is invalid
 */
export function versionOf(query: URLSearchParams): number {
  const text = query.get('resourceVersion') ?? '';
  if (text === '') return 0;
  if (/^\d+$/.test(text)) return Number(text);
  const quoted = JSON.stringify(text);
  const message = `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
  // The server's response for a watch has no reason.
  if (boolean(query, 'watch')) throw new Failure({ code: 500, message });
  throw badRequest(`invalid resource version: ${message}`);
}

function versionErrors(query: URLSearchParams): readonly FieldError[] {
  const match = query.get('resourceVersionMatch') ?? '';
  const version = query.get('resourceVersion') ?? '';
  const field = 'resourceVersionMatch';
  const initial = query.has('sendInitialEvents')
    ? [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')]
    : [];
  if (match === '') return initial;
  return [
    ...(version === ''
      ? [forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided')]
      : []),
    ...(query.get('continue')
      ? [forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided')]
      : []),
    ...(match === 'Exact' || match === 'NotOlderThan'
      ? []
      : [notSupported(field, match, ['Exact', 'NotOlderThan', ''])]),
    ...(match === 'Exact' && version === '0'
      ? [forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')]
      : []),
    ...initial,
  ];
}

/** Handles GET of one object. */
export function get(context: Context, current: () => JsonObject): Answer {
  const wanted = versionOf(context.request.query);
  if (wanted > context.store.revision) throw tooLargeVersion(wanted, context.store.revision);
  return json(200, current(), [...context.warnings]);
}
