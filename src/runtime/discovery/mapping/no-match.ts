/** Errors of failed lookups. */

import { describeGroup } from '../../api/group-name.ts';
import type { KindQuery, RESTMapping, ResourceQuery } from '../types.ts';
import { NoMatchError } from './errors.ts';
import { kindText, type Mappings, pluralText } from './mappings.ts';
import { nearest } from './nearest.ts';
import { describeResource } from './resource-argument.ts';

/** Maximum number of suggestions in a message. */
const shown = 3;

type Failed = ReadonlyMap<string, Error>;

/** Returns the error for a kind without a resource. */
export function noKind(known: Mappings, failed: Failed, query: KindQuery): NoMatchError {
  const { group, kind, version } = query;
  const what = `kind ${JSON.stringify(kind)} in ${describeGroup(group)}`;
  return new NoMatchError(version === undefined ? what : `${what}, version ${JSON.stringify(version)}`, {
    suggestions: textsOf(likeKind(known, query), kindText),
    failed: failuresOf(failed, (name) => name === group),
  });
}

/** Returns the kind in another version or group, or kinds with a similar name. */
function likeKind({ all, lowerKinds }: Mappings, { kind }: KindQuery): readonly RESTMapping[] {
  return lowerKinds.get(kind.toLowerCase()) ?? nearest(kind, all, (mapping) => [mapping.kind.kind]);
}

function textsOf(
  mappings: readonly RESTMapping[],
  text: (mapping: RESTMapping) => string,
): readonly string[] {
  return [...new Set(mappings.map(text))].slice(0, shown);
}

/** Returns failures of groups that may contain a match. */
function failuresOf(failed: Failed, mayHave: (group: string) => boolean): Failed {
  const groupOf = (groupVersion: string): string =>
    groupVersion.includes('/') ? groupVersion.slice(0, groupVersion.indexOf('/')) : '';
  return new Map([...failed].filter(([groupVersion]) => mayHave(groupOf(groupVersion))));
}

/** Returns the error for a resource without a match, for all interpretations of its name. */
export function noResource(
  known: Mappings,
  failed: Failed,
  queries: readonly [ResourceQuery, ...ResourceQuery[]],
): NoMatchError {
  const query = likeliest(queries);
  const { resource } = query;
  const like =
    known.names.get(resource.toLowerCase()) ??
    nearest(resource, known.all, ({ resource: { resource: plural }, singular, kind, shortNames }) => [
      plural,
      singular,
      kind.kind,
      ...shortNames,
    ]);
  return new NoMatchError(describeResource(query), {
    suggestions: textsOf(like, pluralText),
    failed: failuresOf(failed, (name) =>
      queries.some(({ group }) => group === undefined || name.startsWith(group)),
    ),
  });
}

/** Selects the query for the message: the one whose version, if any, looks like a version. */
function likeliest(queries: readonly [ResourceQuery, ...ResourceQuery[]]): ResourceQuery {
  return queries.find(({ version }) => version === undefined || /^v\d/.test(version)) ?? queries[0];
}
