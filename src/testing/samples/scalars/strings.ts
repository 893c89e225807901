/** Strings with a format, a pattern and a length. */
import { hasFormat } from '@kgen/schema/formats/formats';
import { matchesPattern } from '@kgen/schema/formats/pattern';
import { type Json, type JsonObject, own, strings, text } from '@kgen/schema/values/json';
import { patternGenerator } from './pattern-strings.ts';

/** Constraints on a string. */
export interface StringRules {
  readonly format: string;
  readonly patterns: readonly string[];
  readonly minLength: number;
  readonly maxLength: number;
}

/** Returns the constraints of a schema. `patterns` are those of several merged schemas. */
export function stringRules(node: JsonObject): StringRules {
  const pattern = text(node, 'pattern');
  const merged = strings(node, 'patterns');
  return {
    format: text(node, 'format'),
    patterns: merged.length > 0 ? merged : pattern === '' ? [] : [pattern],
    minLength: numberAt(node, 'minLength') ?? 0,
    maxLength: numberAt(node, 'maxLength') ?? Number.POSITIVE_INFINITY,
  };
}

/** Returns a number of a schema, integers beyond 2^53 rounded. */
export function numberAt(node: JsonObject, key: string): number | undefined {
  const value: Json | undefined = own(node, key);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

/** Returns whether a string satisfies all constraints. */
export function isValidString(value: string, rules: StringRules): boolean {
  const length = [...value].length;
  if (length < rules.minLength || length > rules.maxLength) return false;
  return (
    rules.patterns.every((each) => matchesPattern(each, value) === true) && hasFormat(rules.format, value)
  );
}

/** Longest string that is created to reach a bound. */
const maxCreatedLength = 5_000;

/** Number of strings that are created until one satisfies all constraints. */
const attempts = 60;

/**
 * Returns a string that satisfies the constraints, or the best attempt.
 * @param target preferred length: a bound of the schema
 */
export function stringOf(rules: StringRules, random: () => number, target?: number): string {
  const chosen = target === undefined || target > maxCreatedLength ? undefined : target;
  const fits = (value: string): boolean =>
    isValidString(value, rules) && (chosen === undefined || [...value].length === chosen);
  let best: string | undefined;
  for (const candidate of candidates(rules, random, chosen)) {
    if (fits(candidate)) return candidate;
    if (isValidString(candidate, rules)) best ??= candidate;
  }
  return best ?? 'a'.repeat(Math.max(1, rules.minLength));
}

function* candidates(
  rules: StringRules,
  random: () => number,
  target: number | undefined,
): Generator<string> {
  const { format, patterns, minLength, maxLength } = rules;
  const [pattern] = patterns;
  if (format !== '' && target === undefined) yield* shuffled(formatExamples(format, random), random);
  if (pattern === undefined) {
    const lower = Math.max(minLength, Math.min(1, maxLength));
    const upper = Math.min(maxLength, lower + 11);
    yield word(target ?? lower + Math.floor(random() * (upper - lower + 1)), random);
    yield* formatExamples(format, random);
    return;
  }
  yield* commonStrings;
  const generator = patternGenerator(pattern);
  if (generator === undefined) return;
  for (let attempt = 0; attempt < attempts; attempt += 1)
    yield generator(random, target ?? lengthOf(attempt, rules));
}

/** Returns the length for an attempt: none if nothing demands one, and then every valid one. */
function lengthOf(attempt: number, { minLength, maxLength }: StringRules): number | undefined {
  if (attempt < 5) return minLength > 1 ? minLength + attempt : undefined;
  const range = Math.min(maxLength, minLength + 30) - minLength;
  return minLength + (attempt % (range + 1));
}

/** Strings that satisfy many patterns which a random string rarely does. */
const commonStrings: readonly string[] = ['example', 'example.com', '1', '10s', '/example', 'v1'];

/** Returns a word of lower-case letters of this length. */
function word(length: number, random: () => number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const size = Math.min(length, maxCreatedLength);
  return Array.from({ length: size }, () => letters[Math.floor(random() * letters.length)]).join('');
}

/** Returns examples of a format; empty for an unknown one. */
function formatExamples(format: string, random: () => number): readonly string[] {
  return formats.get(format.replaceAll('-', ''))?.(Math.floor(random() * 200)) ?? [];
}

const hex = (digits: number, seed: number): string =>
  (seed * 2_654_435_761).toString(16).padStart(digits, 'a').slice(-digits);

const uuid =
  (version: number) =>
  (n: number): readonly string[] => [
    `${hex(8, n + 1)}-${hex(4, n + 2)}-${version}${hex(3, n + 3)}-a${hex(3, n + 4)}-${hex(12, n + 5)}`,
  ];

/** Examples by format without dashes, varied by a number below 200. */
const formats: ReadonlyMap<string, (n: number) => readonly string[]> = new Map<
  string,
  (n: number) => readonly string[]
>([
  ['bsonobjectid', (n) => [hex(24, n + 1)]],
  ['uri', (n) => [`https://example.com/${n}`, `/path/${n}`]],
  ['email', (n) => [`user${n}@example.com`]],
  ['hostname', (n) => [`host${n}.example.com`, `host${n}`]],
  ['ipv4', (n) => [`192.0.2.${n}`]],
  ['ipv6', (n) => [`2001:db8::${n + 1}`]],
  ['cidr', (n) => [`10.${n}.0.0/16`]],
  ['mac', (n) => [`00:00:5e:00:53:${n.toString(16).padStart(2, '0')}`]],
  ['uuid', uuid(4)],
  ['uuid3', uuid(3)],
  ['uuid4', uuid(4)],
  ['uuid5', uuid(5)],
  ['isbn', () => ['0306406152', '9780306406157']],
  ['isbn10', () => ['0306406152']],
  ['isbn13', () => ['9780306406157']],
  ['creditcard', () => ['4111111111111111']],
  ['ssn', (n) => [`123-45-${6000 + n}`]],
  ['hexcolor', (n) => [`#${hex(6, n + 1)}`]],
  ['rgbcolor', (n) => [`rgb(${n},0,255)`]],
  ['byte', (n) => [Buffer.from(`bytes ${n}`).toString('base64')]],
  ['password', (n) => [`secret-${n}`]],
  ['date', (n) => [`2024-05-${String(1 + (n % 28)).padStart(2, '0')}`]],
  ['duration', (n) => [`${n + 1}s`, `${n + 1}m30s`]],
  ['datetime', (n) => [`2024-05-06T07:${String(n % 60).padStart(2, '0')}:09Z`]],
  ['k8sshortname', (n) => [`name-${n}`]],
  ['k8slongname', (n) => [`name-${n}.example.com`]],
]);

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const first = Math.floor(random() * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}
