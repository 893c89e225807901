/** Comparison of the constraints of single values: limits, formats, enums, patterns, rules. */

import type { SchemaDocument, SchemaValue } from '@kgen/runtime/gen/v1';
import { isObject } from '../input/json.ts';
import { canonical, listOf, typeAlternatives } from './nodes.ts';
import type { Drift } from './types.ts';

/** A drift without its position, which the caller adds. */
export type Change = Omit<Drift, 'resource' | 'path' | 'since'>;

/** Use of a resource by its client. */
export interface SchemaUse {
  /** Whether the client can create or change objects. */
  readonly isSent: boolean;
  /**
   * Whether the kind is built-in. API servers do not validate built-in kinds with their published schemas: a
   * constraint that is published for the first time may be as old as the kind.
   */
  readonly isBuiltIn: boolean;
}

/** Returns the changes of the constraints of a node that both sides have with the same type. */
export function constraintChanges(
  before: SchemaDocument,
  after: SchemaDocument,
  { isSent, isBuiltIn }: SchemaUse,
): readonly Change[] {
  const sent = isSent
    ? [...limitChanges(before, after), ...patternChanges(before, after), ...ruleChanges(before, after)]
    : [];
  const changes = [
    ...sent,
    ...formatChanges(before, after, isSent),
    ...enumChanges(before, after, isSent),
    ...alternativeChanges(before, after),
    ...listTypeChanges(before, after),
  ];
  if (!isBuiltIn) return changes;
  const isOld = (kind: Change['kind']): boolean => kind !== 'enum-narrowed' || before['enum'] === undefined;
  return changes.map((change) => (isOld(change.kind) ? { ...change, breaking: false } : change));
}

function limitChanges(before: SchemaDocument, after: SchemaDocument): readonly Change[] {
  return [
    ...rangeChanges(before, after, 'minimum', 'exclusiveMinimum', 1),
    ...rangeChanges(before, after, 'maximum', 'exclusiveMaximum', -1),
    ...countChanges(before, after),
    ...multipleChanges(before, after),
  ];
}

/** Values of integer formats, which have limits without keywords. */
const formatLimits: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 };

function rangeChanges(
  before: SchemaDocument,
  after: SchemaDocument,
  keyword: 'minimum' | 'maximum',
  exclusive: string,
  sign: 1 | -1,
): readonly Change[] {
  const is = after[keyword];
  if (!isNumber(is)) return [];
  const was = before[keyword];
  const limit = formatLimits[String(before['format'])] ?? Number.POSITIVE_INFINITY;
  const start = isNumber(was) ? was : -sign * (limit - (sign === -1 && Number.isFinite(limit) ? 1 : 0));
  const order = sign * compared(is, start);
  const excludes = after[exclusive] === true && before[exclusive] !== true;
  if (order < 0 || (order === 0 && !excludes)) return [];
  const shown = `${is}${after[exclusive] === true ? ' (exclusive)' : ''}`;
  return [tightened(keyword, isNumber(was) ? `${was}` : undefined, shown)];
}

/** Large integers are bigints on one side and rounded numbers on the other, if their documents differ. */
function compared(a: number | bigint, b: number | bigint): number {
  const [left, right] = typeof a === typeof b ? [a, b] : [Number(a), Number(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function countChanges(before: SchemaDocument, after: SchemaDocument): readonly Change[] {
  return ['Length', 'Items', 'Properties'].flatMap((unit) => {
    const changes: Change[] = [];
    const [least, most] = [`min${unit}`, `max${unit}`];
    const low = after[least];
    const high = after[most];
    const wasLow = before[least] ?? 0;
    const wasHigh = before[most] ?? Number.POSITIVE_INFINITY;
    if (isNumber(low) && isNumber(wasLow) && low > wasLow)
      changes.push(tightened(least, shownNumber(before[least]), `${low}`));
    if (isNumber(high) && isNumber(wasHigh) && high < wasHigh)
      changes.push(tightened(most, shownNumber(before[most]), `${high}`));
    return changes;
  });
}

function shownNumber(value: SchemaValue | undefined): string | undefined {
  return isNumber(value) ? `${value}` : undefined;
}

function multipleChanges(before: SchemaDocument, after: SchemaDocument): readonly Change[] {
  const was = before['multipleOf'];
  const is = after['multipleOf'];
  if (!isNumber(is) || (isNumber(was) && Number(was) % Number(is) === 0)) return [];
  return [tightened('multipleOf', shownNumber(was), `${is}`)];
}

function isNumber(value: SchemaValue | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function tightened(keyword: string, was: string | undefined, is: string): Change {
  const message = was === undefined ? `${keyword} is ${is}` : `${keyword} was ${was}, is ${is}`;
  return { kind: 'limit-tightened', breaking: true, message };
}

function patternChanges(
  { pattern: was }: SchemaDocument,
  { pattern: is }: SchemaDocument,
): readonly Change[] {
  if (typeof is !== 'string' || was === is) return [];
  if (typeof was !== 'string')
    return [{ kind: 'pattern-changed', breaking: true, message: `values must match ${is}` }];
  const message = `the pattern was ${was}, is ${is}: whether it accepts less is not decided`;
  return [{ kind: 'pattern-changed', breaking: false, message }];
}

function ruleChanges(before: SchemaDocument, after: SchemaDocument): readonly Change[] {
  const known = new Set(rulesOf(before).map(({ rule }) => canonical(rule)));
  return rulesOf(after)
    .filter(({ rule }) => !known.has(canonical(rule)))
    .map(({ rule, message }) => {
      const reason = typeof message === 'string' ? ` (${message})` : '';
      const shown = `the rule ${String(rule)}${reason} is new: whether it accepts less is not decided`;
      return { kind: 'rule-added', breaking: false, message: shown };
    });
}

function rulesOf(document: SchemaDocument): readonly SchemaDocument[] {
  return listOf(document['x-kubernetes-validations']).filter(isObject);
}

/** Formats that API servers check, or that limit integers. */
const checkedFormats: ReadonlySet<string> = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn ' +
    'hexcolor rgbcolor byte date duration date-time datetime int32 int64 float double'
  ).split(' '),
);

/** Formats whose values the second one accepts. */
const widerFormats: ReadonlySet<string> = new Set([
  'int32 int64',
  'float double',
  'date-time datetime',
  'datetime date-time',
]);

function formatChanges(before: SchemaDocument, after: SchemaDocument, isSent: boolean): readonly Change[] {
  const was = checkedFormat(before);
  const is = checkedFormat(after);
  if (was === is || widerFormats.has(`${was} ${is}`)) return [];
  const isFree = is === '' || (was === '' && (is === 'int64' || is === 'double'));
  const isRange = ['int32', 'int64', 'float', 'double'].includes(was);
  if (isFree && (was === '' || isRange)) return [];
  const message = `the format was ${was === '' ? 'free' : was}, is ${is === '' ? 'free' : is}`;
  return [{ kind: 'format-changed', breaking: isSent && !isFree, message }];
}

function checkedFormat({ format }: SchemaDocument): string {
  return typeof format === 'string' && checkedFormats.has(format) ? format : '';
}

function enumChanges(before: SchemaDocument, after: SchemaDocument, isSent: boolean): readonly Change[] {
  const was = before['enum'] === undefined ? undefined : listOf(before['enum']).map(canonical);
  const is = after['enum'] === undefined ? undefined : listOf(after['enum']).map(canonical);
  if (is === undefined) {
    if (was === undefined) return [];
    return [{ kind: 'enum-widened', breaking: false, message: 'any value is possible, not only the enum' }];
  }
  if (was === undefined) {
    if (!isSent) return [];
    return [{ kind: 'enum-narrowed', breaking: true, message: `only ${is.join(', ')} are accepted` }];
  }
  const removed = was.filter((member) => !is.includes(member));
  const added = is.filter((member) => !was.includes(member));
  return [
    ...(isSent && removed.length > 0
      ? [
          {
            kind: 'enum-narrowed',
            breaking: true,
            message: `not accepted any more: ${removed.join(', ')}`,
          } as const,
        ]
      : []),
    ...(added.length > 0
      ? [{ kind: 'enum-widened', breaking: false, message: `new values: ${added.join(', ')}` } as const]
      : []),
  ];
}

/** Alternatives of types are compared as types. */
function alternativeChanges(before: SchemaDocument, after: SchemaDocument): readonly Change[] {
  const [was, is] = [before, after].map((document) =>
    ['allOf', 'anyOf', 'oneOf', 'not'].map((keyword) =>
      typeAlternatives(document) === undefined ? canonical(document[keyword]) : '',
    ),
  );
  const changed = ['allOf', 'anyOf', 'oneOf', 'not'].filter((_, index) => was?.[index] !== is?.[index]);
  if (changed.length === 0) return [];
  const message = `${changed.join(', ')} changed: whether it accepts less is not decided`;
  return [{ kind: 'alternatives-changed', breaking: false, message }];
}

function listTypeChanges(before: SchemaDocument, after: SchemaDocument): readonly Change[] {
  const was = listTypeOf(before);
  const is = listTypeOf(after);
  if (was === is) return [];
  const message = `the list was ${was}, is ${is}: server-side apply merges it in another way`;
  return [{ kind: 'list-type-changed', breaking: false, message }];
}

function listTypeOf(document: SchemaDocument): string {
  const type = document['x-kubernetes-list-type'];
  if (typeof type !== 'string') return 'atomic';
  const keys = listOf(document['x-kubernetes-list-map-keys']).map(String).sort();
  return type === 'map' ? `a map by ${keys.join(', ')}` : type;
}
