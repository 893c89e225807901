/** Functions of strings: those of CEL and the strings extension, version 2. */

import { findMatches, matchesPattern } from '../../formats/pattern.ts';
import { bool, dyn, int, listOf, string } from '../check/types.ts';
import { type Functions, member, type Overload, overload } from '../environment.ts';
import { CelList, celList, EvaluationError, noSuchOverload, type Value } from '../values/value.ts';
import { formatString } from './format-string.ts';

/** Returns an argument that is a string. */
export function text(value: Value | undefined): string {
  if (typeof value !== 'string') throw noSuchOverload();
  return value;
}

/** Returns an argument that is an integer. */
export function integer(value: Value | undefined): number {
  if (typeof value !== 'bigint') throw noSuchOverload();
  return Number(value);
}

/** Returns a list of strings. */
export function texts(items: readonly string[]): CelList {
  return celList(items);
}

const quoted: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

const lowerAscii = (source: string): string => source.replace(/[A-Z]+/g, (part) => part.toLowerCase());
const upperAscii = (source: string): string => source.replace(/[a-z]+/g, (part) => part.toUpperCase());
const allMatches = Number.POSITIVE_INFINITY;

/** Functions of CEL, of the strings extension, and of Kubernetes' regex library. */
export const strings: Functions = new Map<string, readonly Overload[]>([
  ['contains', predicate('contains_string', (source, part) => source.includes(part))],
  ['startsWith', predicate('starts_with_string', (source, part) => source.startsWith(part))],
  ['endsWith', predicate('ends_with_string', (source, part) => source.endsWith(part))],
  [
    'matches',
    [
      overload('matches', [string, string], bool, ([a, b]) => matches(text(a), text(b))),
      ...predicate('matches_string', matches),
    ],
  ],
  ['charAt', [member('string_char_at_int', [string, int], string, ([a, b]) => charAt(text(a), integer(b)))]],
  [
    'indexOf',
    [
      member('string_index_of_string', [string, string], int, ([a, b]) => indexOf(text(a), text(b), 0)),
      member('string_index_of_string_int', [string, string, int], int, ([a, b, c]) =>
        indexOf(text(a), text(b), integer(c)),
      ),
    ],
  ],
  [
    'lastIndexOf',
    [
      member('string_last_index_of_string', [string, string], int, ([a, b]) =>
        lastIndexOf(text(a), text(b), undefined),
      ),
      member('string_last_index_of_string_int', [string, string, int], int, ([a, b, c]) =>
        lastIndexOf(text(a), text(b), integer(c)),
      ),
    ],
  ],
  ['lowerAscii', unary('string_lower_ascii', lowerAscii)],
  ['upperAscii', unary('string_upper_ascii', upperAscii)],
  ['trim', unary('string_trim', trim)],
  [
    'replace',
    [
      member('string_replace_string_string', [string, string, string], string, ([a, b, c]) =>
        replace(text(a), text(b), text(c), -1),
      ),
      member('string_replace_string_string_int', [string, string, string, int], string, ([a, b, c, d]) =>
        replace(text(a), text(b), text(c), integer(d)),
      ),
    ],
  ],
  [
    'split',
    [
      member('string_split_string', [string, string], listOf(string), ([a, b]) =>
        texts(split(text(a), text(b), -1)),
      ),
      member('string_split_string_int', [string, string, int], listOf(string), ([a, b, c]) =>
        texts(split(text(a), text(b), integer(c))),
      ),
    ],
  ],
  [
    'substring',
    [
      member('string_substring_int', [string, int], string, ([a, b]) => substring(text(a), integer(b))),
      member('string_substring_int_int', [string, int, int], string, ([a, b, c]) =>
        substring(text(a), integer(b), integer(c)),
      ),
    ],
  ],
  [
    'join',
    [
      member('list_join', [listOf(string)], string, ([list]) => join(list, '')),
      member('list_join_string', [listOf(string), string], string, ([list, b]) => join(list, text(b))),
    ],
  ],
  [
    'format',
    [
      member('string_format', [string, listOf(dyn)], string, ([a, list]) =>
        formatString(text(a), list ?? null),
      ),
    ],
  ],
  ['strings.quote', [overload('strings_quote', [string], string, ([a]) => quote(text(a)))]],
  [
    'find',
    [member('string_find_string', [string, string], string, ([a, b]) => find(text(a), text(b), 1)[0] ?? '')],
  ],
  [
    'findAll',
    [
      member('string_find_all_string', [string, string], listOf(string), ([a, b]) =>
        texts(find(text(a), text(b), allMatches)),
      ),
      member('string_find_all_string_int', [string, string, int], listOf(string), ([a, b, c]) => {
        const limit = integer(c);
        return texts(find(text(a), text(b), limit < 0 ? allMatches : limit));
      }),
    ],
  ],
]);

function split(source: string, separator: string, limit: number): readonly string[] {
  if (limit === 0) return [];
  const parts = separator === '' ? [...source] : source.split(separator);
  if (limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function join(list: Value | undefined, separator: string): string {
  if (!(list instanceof CelList)) throw noSuchOverload();
  return list.items
    .map((item) => {
      if (typeof item !== 'string') throw new EvaluationError(`join: invalid input: ${String(item)}`);
      return item;
    })
    .join(separator);
}

function replace(source: string, from: string, to: string, limit: number): string {
  if (limit < 0 && from !== '') return source.split(from).join(to);
  let count = limit < 0 ? Number.POSITIVE_INFINITY : limit;
  if (from !== '') {
    const parts = source.split(from);
    const kept = parts.slice(0, count + 1);
    const rest = parts.slice(count + 1);
    return [kept.join(to), ...rest].join(from);
  }
  const chars = [...source].map((char) => (count-- > 0 ? to : '') + char);
  return chars.join('') + (count > 0 ? to : '');
}

function charAt(source: string, index: number): string {
  const chars = [...source];
  if (index < 0 || index > chars.length) throw outOfRange(index);
  return chars[index] ?? '';
}

function outOfRange(index: number): EvaluationError {
  return new EvaluationError(`index out of range: ${index}`);
}

function substring(source: string, start: number, end?: number): string {
  const chars = [...source];
  if (end !== undefined && start > end)
    throw new EvaluationError(`invalid substring range. start: ${start}, end: ${end}`);
  for (const index of [start, end ?? start]) if (index < 0 || index > chars.length) throw outOfRange(index);
  return chars.slice(start, end).join('');
}

function indexOf(source: string, part: string, offset: number): bigint {
  if (part === '') return BigInt(offset);
  if (offset < 0) throw outOfRange(offset);
  const [chars, expected] = [[...source], [...part]];
  for (let at = offset; at <= chars.length - expected.length; at += 1)
    if (expected.every((char, index) => chars[at + index] === char)) return BigInt(at);
  return -1n;
}

function lastIndexOf(source: string, part: string, offset: number | undefined): bigint {
  const [chars, expected] = [[...source], [...part]];
  if (part === '') return BigInt(offset ?? chars.length);
  const start = offset ?? chars.length - 1;
  if (offset !== undefined && offset < 0) throw outOfRange(offset);
  if (start >= chars.length) return -1n;
  for (let at = Math.min(start, chars.length - expected.length); at >= 0; at -= 1)
    if (expected.every((char, index) => chars[at + index] === char)) return BigInt(at);
  return -1n;
}

function trim(source: string): string {
  return source.replace(/^[\s\u0085]+|(?<![\s\u0085])[\s\u0085]+$/gu, '');
}

function quote(source: string): string {
  return `"${[...source].map((char) => quoted[char] ?? char).join('')}"`;
}

function matches(source: string, pattern: string): boolean {
  const result = matchesPattern(pattern, source);
  if (result instanceof Error) throw new EvaluationError(result.message);
  return result;
}

function find(source: string, pattern: string, limit: number): readonly string[] {
  const result = findMatches(pattern, source, limit);
  if (result instanceof Error) throw new EvaluationError(`Illegal regex: ${result.message}`);
  return result;
}

function unary(id: string, convert: (source: string) => string): readonly Overload[] {
  return [member(id, [string], string, ([source]) => convert(text(source)))];
}

function predicate(id: string, test: (source: string, part: string) => boolean): readonly Overload[] {
  return [member(id, [string, string], bool, ([source, part]) => test(text(source), text(part)))];
}
