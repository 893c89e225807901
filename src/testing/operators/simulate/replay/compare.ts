/** Compares bodies of requests with recorded ones. Pure. */

import type { APIRequest } from '@kgen/runtime/rest';
import { isObject, type Json, object, text } from '@kgen/schema/values/json';
import { readJson, writeJson } from '@kgen/schema/values/wire';
import { type Difference, differencesOf } from '../../../values/differences.ts';
import type { RequestEntry } from './entries.ts';

/** Values that recordings have in place of secrets. */
const redactedText = '(redacted)';
const hidden: ReadonlySet<string> = new Set([redactedText, Buffer.from(redactedText).toString('base64')]);

/** Difference of two times that may have been read at slightly different moments, in milliseconds. */
const toleranceMs = 2_000;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** Maximum number of differences, and of characters of a value. */
const limits = { lines: 10, value: 200 };

/**
 * Returns a line for each difference, at most 10. Recorded values that were redacted are equal to all, and
 * times are equal that differ by at most 2 s.
 */
export function bodyDifferences(recorded: Json | undefined, actual: Json | undefined): readonly string[] {
  return differencesOf(recorded, actual, isEqualScalar).slice(0, limits.lines).map(differenceText);
}

/** Returns the differences of two responses to a review, as `bodyDifferences`. */
export function reviewDifferences(
  recorded: { readonly status: number; readonly response: Json | undefined },
  actual: { readonly status: number; readonly body: string },
): readonly string[] {
  if (recorded.status !== actual.status)
    return [
      `the status is ${actual.status}, recorded ${recorded.status}: ${actual.body.slice(0, limits.value)}`,
    ];
  return bodyDifferences(recorded.response, withPatch(actual.body));
}

/** Returns a response with its patch as an array, as it is recorded. */
function withPatch(body: string): Json {
  try {
    const review = readJson(body);
    const patch = text(review, 'response', 'patch');
    if (patch === '' || !isObject(review)) return review;
    const operations = readJson(Buffer.from(patch, 'base64').toString());
    return { ...review, response: { ...object(review, 'response'), patch: operations } };
  } catch {
    return body; // A refusal is text.
  }
}

/** Returns whether an address is a recorded one, whose redacted parts are equal to all. */
export function isUrl(recorded: string, actual: string): boolean {
  const [address = ''] = actual.split('#');
  const [first = '', ...rest] = recorded.split(redactedText);
  const last = rest.pop();
  if (last === undefined) return first === address;
  if (!address.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = address.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return address.length - last.length >= at && address.endsWith(last);
}

/** Returns the differences of a request to the API server from its record, as `bodyDifferences`. */
export function requestDifferences(
  entry: RequestEntry,
  { query }: Pick<APIRequest, 'query'>,
  body: Json | undefined,
): readonly string[] {
  const recorded = new Set(entry.query.map(([name]) => name));
  const relevant = query.filter(([name]) => !added.has(name) || recorded.has(name));
  const [before, after] = [queryText(entry.query), queryText(relevant)];
  const parameters = before === after ? [] : [`query is ${after}, recorded ${before}`];
  const isComparable = entry.omittedBytes === undefined;
  return [...parameters, ...(isComparable ? bodyDifferences(entry.body, body) : [])];
}

/** Parameters that the client adds after a request was recorded. */
const added: ReadonlySet<string> = new Set(['fieldManager', 'fieldValidation']);

function queryText(query: readonly (readonly [string, string])[]): string {
  const pairs = query.map(([name, value]): [string, string] => [name, value]);
  return `?${new URLSearchParams(pairs.sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}

function isEqualScalar(recorded: Json | undefined, actual: Json | undefined): boolean {
  if (recorded === actual) return true;
  // Recordings contain the nearest doubles of 64-bit integers.
  if (typeof recorded === 'number') return typeof actual === 'bigint' && recorded === Number(actual);
  if (typeof recorded !== 'string') return false;
  if (hidden.has(recorded)) return true;
  if (typeof actual !== 'string' || !time.test(recorded) || !time.test(actual)) return false;
  return Math.abs(Date.parse(recorded) - Date.parse(actual)) <= toleranceMs;
}

function differenceText({ path, expected: recorded, actual }: Difference): string {
  return `${path === '' ? 'body' : path} is ${shown(actual)}, recorded ${shown(recorded)}`;
}

function shown(value: Json | undefined): string {
  if (value === undefined) return '(absent)';
  const json = writeJson(value);
  return json.length <= limits.value ? json : `${json.slice(0, limits.value - 1)}…`;
}
