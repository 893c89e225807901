/** Options of lists and watches: the query of a request, validated as `ListOptions`. */

import { type FieldError, forbiddenField, notSupported } from '@kgen/runtime/objects';
import { badRequest, invalid } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';
import { boolean, integer } from '../request/query.ts';
import type { ResourceType } from '../resources/type.ts';
import { type FieldRequirement, requiredValue } from './fields.ts';
import { parseSelectors, type Selection, selectionOf } from './selection.ts';
import { parseShardSelector } from './shards.ts';

/** Options of a list or a watch. */
export interface ListOptions {
  /** As sent. Empty if it is absent. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  /** 0 for no limit. */
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
  readonly selection: Selection;
}

type Unvalidated = Omit<ListOptions, 'selection'>;

/**
 * Reads and validates the options of a request.
 * @param name the object of a watch of one object, otherwise empty
 * @throws {Failure} 400, 422, and 500 for an invalid shard selector
 */
export function listOptions(query: URLSearchParams, type: ResourceType, name: string): ListOptions {
  const options = withDefaults(query, {
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    limit: Math.max(integer(query, 'limit') ?? 0, 0),
    continue: query.get('continue') ?? '',
    sendInitialEvents: boolean(query, 'sendInitialEvents'),
    bookmarks: boolean(query, 'allowWatchBookmarks') === true,
    timeoutSeconds: integer(query, 'timeoutSeconds'),
  });
  parseSelectors(query);
  const errors = isWatch(query) ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalid('meta.k8s.io', 'ListOptions', '', errors);
  const selection = selectionOf(query, type);
  if (name !== '' && selection.fields.length > 0 && requiredValue(selection.fields, 'metadata.name') !== name)
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  const shards = parseShardSelector(query.get('shardSelector') ?? '');
  const fields = name === '' || selection.fields.length > 0 ? selection.fields : [nameIs(name)];
  return { ...options, selection: { ...selection, fields, shards } };
}

function nameIs(value: string): FieldRequirement {
  const label = 'metadata.name';
  return { field: { label, paths: [['metadata', 'name']], otherwise: '' }, operator: '=', value };
}

/** Returns whether the query requests a watch. */
export function isWatch(query: URLSearchParams): boolean {
  return boolean(query, 'watch') === true;
}

/** A watch without a version begins with the current objects. */
function withDefaults(query: URLSearchParams, options: Unvalidated): Unvalidated {
  const { resourceVersion, resourceVersionMatch, sendInitialEvents } = options;
  const isLegacy = resourceVersion === '' || resourceVersion === '0';
  if (!isWatch(query) || !isLegacy || sendInitialEvents !== undefined || resourceVersionMatch !== '')
    return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
}

const match = 'resourceVersionMatch';

function listErrors(options: Unvalidated): readonly FieldError[] {
  const { resourceVersion, resourceVersionMatch, sendInitialEvents } = options;
  const initial =
    sendInitialEvents === undefined
      ? []
      : [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
  if (resourceVersionMatch === '') return initial;
  return [
    ...(resourceVersion === ''
      ? [forbiddenField(match, 'resourceVersionMatch is forbidden unless resourceVersion is provided')]
      : []),
    ...continueErrors(options),
    ...(['Exact', 'NotOlderThan'].includes(resourceVersionMatch)
      ? []
      : [notSupported(match, resourceVersionMatch, ['Exact', 'NotOlderThan', ''])]),
    ...(resourceVersionMatch === 'Exact' && resourceVersion === '0'
      ? [forbiddenField(match, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')]
      : []),
    ...initial,
  ];
}

function continueErrors(options: Unvalidated): readonly FieldError[] {
  if (options.continue === '') return [];
  return [forbiddenField(match, 'resourceVersionMatch is forbidden when continue is provided')];
}

function watchErrors(options: Unvalidated): readonly FieldError[] {
  const { resourceVersionMatch, sendInitialEvents } = options;
  const isNotOlder = resourceVersionMatch === 'NotOlderThan';
  return [
    ...(sendInitialEvents !== undefined && !isNotOlder
      ? [forbiddenField(match, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')]
      : []),
    ...(resourceVersionMatch !== '' && sendInitialEvents === undefined
      ? [
          forbiddenField(
            match,
            'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
          ),
        ]
      : []),
    ...(resourceVersionMatch === '' || isNotOlder
      ? []
      : [notSupported(match, resourceVersionMatch, ['NotOlderThan'])]),
    ...(resourceVersionMatch === '' ? [] : continueErrors(options)),
  ];
}

/**
 * Parses the resourceVersion of a list; 0 if it is absent or "0".
 * @throws {Failure} 400 if it is invalid
 */
export function parseListVersion(version: string): number {
  return parseVersion(version, (message) => badRequest(`invalid resource version: ${message}`));
}

/**
 * Parses the resourceVersion of a watch or get; 0 if it is absent or "0".
 * @throws {Failure} 500 without a reason if it is invalid, as the API server
 */
export function parseWatchVersion(version: string): number {
  return parseVersion(version, (message) => new Failure({ code: 500, message }));
}

function parseVersion(version: string, refuse: (message: string) => Failure): number {
  if (version === '') return 0;
  if (/^\d+$/.test(version)) return Number(version);
  const quoted = JSON.stringify(version);
  throw refuse(
    `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`,
  );
}
