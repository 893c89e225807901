/** Errors of failed lookups. */

import { describeGroup } from '../../api/group-version.ts';
import type { KindQuery, RESTMapping, ResourceQuery } from '../types.ts';
import { NoMatchError } from './errors.ts';
import { kindText, type Mappings, pluralText } from './mappings.ts';
import { describeResource } from './resource-argument.ts';

/** Maximum length of a name that is compared. Longer names are not typing errors. */
const longestWord = 64;

/** Maximum number of compared entries: more than the largest clusters have. */
const mostThings = 10_000;
/** Maximum number of compared names of one entry. */
const mostWords = 10;

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

/**
 * Returns the number of characters to insert, delete, replace or transpose to convert one string into
 * another.
 */
export function distance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const exchanged = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(before, j - 2) + 1 : replaced;
      next.push(Math.min(at(row, j) + 1, at(next, j - 1) + 1, replaced, exchanged));
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** Returns the entries with a name that is similar to a string, the most similar first. */
export function nearest<T>(
  word: string,
  things: readonly T[],
  wordsOf: (thing: T) => readonly string[],
): readonly T[] {
  const expected = word.toLowerCase();
  if (expected.length > longestWord) return [];
  const allowed = Math.max(1, Math.floor(expected.length / 3));
  const distanceOf = (name: string): number =>
    Math.abs(name.length - expected.length) > allowed ? Number.POSITIVE_INFINITY : distance(expected, name);
  const far = (thing: T): number =>
    Math.min(
      ...wordsOf(thing)
        .slice(0, mostWords)
        .map((name) => distanceOf(name.toLowerCase())),
    );
  return things
    .slice(0, mostThings)
    .map((thing) => ({ thing, far: far(thing) }))
    .filter(({ far }) => far <= allowed)
    .sort((a, b) => a.far - b.far)
    .map(({ thing }) => thing);
}
