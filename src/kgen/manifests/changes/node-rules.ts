/** Changes of single schemas: one rule per keyword, each a pure function of both schemas. */
import { isDeepStrictEqual } from 'node:util';
import { isSupported } from '@kgen/schema/formats/formats';
import { parseSchema, type Schema } from '@kgen/schema/validation/structural';
import { isObject, type Json, type JsonObject, own } from '@kgen/schema/values/json';
import type { DefinitionChange } from './change.ts';
import { holdsUnchanged, usesOldSelf } from './expressions.ts';
import { dropping, type Effect, harmless, keepsUnknown, type NodePair, refusal, typesOf } from './nodes.ts';

/** A change without its position. */
export type Finding = Pick<DefinitionChange, 'rule' | 'before' | 'after' | 'clients' | 'reason'> & {
  readonly effect: Effect;
  /** Keyword of the schema, to which the position leads; a rule has its index. */
  readonly keyword: string | readonly (string | number)[];
};

/** Returns the changes of a node, without those of the nodes below it. */
export function nodeChanges(pair: NodePair): readonly Finding[] {
  return nodeRules.flatMap((rule) => rule(pair));
}

type NodeRule = (pair: NodePair) => readonly Finding[];

const correct = 'correct the stored objects first, or make the change in a new version';

const nodeRules: readonly NodeRule[] = [
  typeRule,
  formatRule,
  enumRule,
  nullableRule,
  narrowing(
    'pattern-changed',
    'pattern',
    (after, before) => after.pattern !== '' && after.pattern !== before.pattern,
    `values that do not match the pattern are refused: ${correct}`,
  ),
  narrowing(
    'minimum-raised',
    'minimum',
    (after, before) => isLowBoundRaised(after, before),
    `smaller values are refused: ${correct}`,
  ),
  narrowing(
    'maximum-lowered',
    'maximum',
    (after, before) => isLowBoundRaised(mirrored(after), mirrored(before)),
    `greater values are refused: ${correct}`,
  ),
  narrowing(
    'multiple-of-changed',
    'multipleOf',
    (after, before) => after.multipleOf !== undefined && !isMultiple(before.multipleOf, after.multipleOf),
    `other numbers are refused: ${correct}`,
  ),
  ...(['Length', 'Items', 'Properties'] as const).flatMap((unit) => [
    narrowing(
      `min-${unit.toLowerCase()}-raised`,
      `min${unit}`,
      (after, before) => (after[`min${unit}`] ?? 0) > (before[`min${unit}`] ?? 0),
      `shorter values are refused: ${correct}`,
    ),
    narrowing(
      `max-${unit.toLowerCase()}-lowered`,
      `max${unit}`,
      (after, before) =>
        (after[`max${unit}`] ?? Number.POSITIVE_INFINITY) <
        (before[`max${unit}`] ?? Number.POSITIVE_INFINITY),
      `longer values are refused: ${correct}`,
    ),
  ]),
  ...(['allOf', 'anyOf', 'oneOf', 'not'] as const).map((keyword) =>
    narrowing(
      'alternatives-changed',
      keyword,
      (after, before) => isLogicNarrower[keyword](branchesOf(after, keyword), branchesOf(before, keyword)),
      `values that the alternatives do not accept are refused: ${correct}`,
    ),
  ),
  celRule,
  listTypeRule,
  mapTypeRule,
  unknownFieldsRule,
  embeddedRule,
];

/** Creates the rule for a keyword that refuses values, if it accepts fewer than before. */
function narrowing(
  rule: string,
  keyword: string,
  isNarrower: (after: Schema, before: Schema) => boolean,
  reason: string,
): NodeRule {
  return ({ before, after, refused }) => {
    if (!isNarrower(after.schema, before.schema)) return [];
    return [
      {
        rule,
        keyword,
        ...values(before.json, after.json, keyword),
        effect: refused,
        clients: 'breaks',
        reason,
      },
    ];
  };
}

function values(before: JsonObject, after: JsonObject, keyword: string): Pick<Finding, 'before' | 'after'> {
  const [was, is] = [own(before, keyword), own(after, keyword)];
  return { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) };
}

function typeRule({ before, after, mistyped }: NodePair): readonly Finding[] {
  const [was, is] = [typesOf(before.schema), typesOf(after.schema)];
  const isNarrower = is !== undefined && (was === undefined || [...was].some((type) => !is.has(type)));
  const isWider = was !== undefined && (is === undefined || [...is].some((type) => !was.has(type)));
  if (!isNarrower && !isWider) return [];
  const types = (set: ReadonlySet<string> | undefined): string =>
    set === undefined ? 'any' : [...set].join(' or ');
  const isFlag = before.schema.intOrString !== after.schema.intOrString;
  const keyword = isFlag && after.schema.intOrString ? 'x-kubernetes-int-or-string' : 'type';
  return [
    {
      ...{
        rule: isNarrower ? 'type-narrowed' : 'type-widened',
        keyword,
        before: types(was),
        after: types(is),
      },
      ...{ effect: isNarrower ? mistyped : harmless, clients: 'breaks' },
      reason: isNarrower
        ? `values of other types are refused: ${correct}`
        : 'programs read values of types that they do not know: make the change in a new version',
    },
  ];
}

function formatRule({ before, after, refused, altered }: NodePair): readonly Finding[] {
  const isNarrower = isFormatNarrower(after.schema, before.schema);
  const isAltered = before.schema.format !== after.schema.format && altered.stored !== 'none';
  if (!isNarrower && !isAltered) return [];
  const found = { keyword: 'format', ...values(before.json, after.json, 'format') };
  return [
    {
      ...{ rule: isNarrower ? 'format-narrowed' : 'format-widened', ...found },
      ...{ effect: isNarrower ? refused : altered, clients: 'breaks' },
      reason: isNarrower
        ? `values of another format are refused: ${correct}`
        : `rules read the value as another type: ${correct}`,
    },
  ];
}

const widerFormats: Readonly<Record<string, string>> = {
  int32: 'int64',
  float: 'double',
  'date-time': 'datetime',
  datetime: 'date-time',
};

function isFormatNarrower(after: Schema, before: Schema): boolean {
  const [was, is] = [checkedFormat(before), checkedFormat(after)];
  if (was === is || widerFormats[was] === is) return false;
  const isWhole = is === 'int64' && after.type === 'integer' && was === '';
  return is !== '' && !isWhole;
}

function checkedFormat({ format, type }: Schema): string {
  return isSupported(format, type) ? format : '';
}

function enumRule({ before, after, refused }: NodePair): readonly Finding[] {
  const [was, is] = [before.schema.enum, after.schema.enum];
  const difference = (a: readonly Json[], b: readonly Json[]): readonly Json[] =>
    a.filter((item) => !b.some((other) => isDeepStrictEqual(item, other)));
  if (is === undefined && was === undefined) return [];
  const found = values(before.json, after.json, 'enum');
  if (is !== undefined && (was === undefined || difference(was, is).length > 0)) {
    const reason = `other values are refused: keep the removed values until no object has them, or ${correct}`;
    return [{ rule: 'enum-narrowed', keyword: 'enum', ...found, effect: refused, clients: 'breaks', reason }];
  }
  if (is !== undefined && was !== undefined && difference(is, was).length === 0) return [];
  const reason = 'programs read values that they do not know: they need a case for other values';
  return [{ rule: 'enum-widened', keyword: 'enum', ...found, effect: harmless, clients: 'none', reason }];
}

function nullableRule({ before, after, nulled }: NodePair): readonly Finding[] {
  const [was, is] = [before.schema.nullable, after.schema.nullable];
  if (was === is) return [];
  const found = { keyword: 'nullable', before: was, after: is };
  if (is) {
    const reason = 'programs read null, which their types do not have: make the change in a new version';
    // A value of any type may be null already.
    const clients = typesOf(before.schema) === undefined ? 'none' : 'breaks';
    return [{ rule: 'nullable-added', ...found, effect: harmless, clients, reason }];
  }
  const reason = `null is dropped, or refused where a value is required: ${correct}`;
  return [{ rule: 'nullable-removed', ...found, effect: nulled, clients: 'breaks', reason }];
}

/** Limits of numbers, which apply to integers without their fraction. */
function isLowBoundRaised(after: Schema, before: Schema): boolean {
  const { minimum: is, exclusiveMinimum: excludes } = after;
  const { minimum: was, exclusiveMinimum: excluded } = before;
  if (is === undefined) return false;
  if (was === undefined || is > was) return true;
  return excludes && !excluded && Math.trunc(is) >= Math.trunc(was);
}

function mirrored(schema: Schema): Schema {
  const { maximum, exclusiveMaximum } = schema;
  return {
    ...schema,
    minimum: maximum === undefined ? undefined : -maximum,
    exclusiveMinimum: exclusiveMaximum,
  };
}

/** Multiples of fractions are computed with rounding errors. */
function isMultiple(before: number | undefined, after: number): boolean {
  if (before === undefined) return false;
  return before === after || (Number.isInteger(after) && before % after === 0);
}

type Branches = readonly Schema[];

function branchesOf(schema: Schema, keyword: 'allOf' | 'anyOf' | 'oneOf' | 'not'): Branches {
  if (keyword === 'not') return schema.not === undefined ? [] : [schema.not];
  const branches = schema[keyword];
  // The types of int-or-string may be repeated.
  if (!schema.intOrString) return branches;
  if (keyword === 'anyOf' && isDeepStrictEqual(branches, pair.anyOf)) return [];
  return branches.filter((branch) => !isDeepStrictEqual(branch, pair));
}

const pair = parseSchema({ anyOf: [{ type: 'integer' }, { type: 'string' }] });

const contains = (branches: Branches, branch: Schema): boolean =>
  branches.some((each) => isDeepStrictEqual(each, branch));
const isWithin = (some: Branches, all: Branches): boolean => some.every((branch) => contains(all, branch));
const isOther = (after: Branches, before: Branches): boolean =>
  after.length > 0 && !(isWithin(after, before) && isWithin(before, after) && after.length === before.length);

const isLogicNarrower = {
  allOf: (after: Branches, before: Branches) => !isWithin(after, before),
  anyOf: (after: Branches, before: Branches) =>
    after.length > 0 && (before.length === 0 || !isWithin(before, after)),
  oneOf: isOther,
  not: isOther,
};

function celRule({ before, after, refused }: NodePair): readonly Finding[] {
  return after.schema.rules.flatMap(({ rule, message, optionalOldSelf }, index) => {
    const isKnown = before.schema.rules.some(
      (known) => known.rule === rule && known.optionalOldSelf === optionalOldSelf,
    );
    if (isKnown) return [];
    const isTransition = usesOldSelf(rule);
    // With a value of another type the rule fails, which API servers report for unchanged values, too.
    const mayFail = after.schema.intOrString || typesOf(after.schema) === undefined;
    const isHarmless = isTransition && !optionalOldSelf && holdsUnchanged(rule);
    return [
      {
        rule: isTransition ? 'transition-rule-added' : 'rule-added',
        keyword: ['x-kubernetes-validations', index],
        ...{ after: message === '' ? rule : `${rule} (${message})` },
        ...{
          effect: isHarmless ? harmless : isTransition || mayFail ? refusal('') : refused,
          clients: 'breaks',
        },
        reason: isHarmless
          ? 'updates that change the value are refused: make the change in a new version'
          : `objects that violate the rule are refused: ${correct}`,
      },
    ];
  });
}

function listTypeRule({ before, after, refused, altered }: NodePair): readonly Finding[] {
  const [was, is] = [listTypeOf(before.schema), listTypeOf(after.schema)];
  if (was === is || typesOf(before.schema)?.has('array') === false) return [];
  const isUnique = is !== 'atomic';
  return [
    {
      ...{ rule: 'list-type-changed', keyword: 'x-kubernetes-list-type', before: was, after: is },
      ...{ effect: isUnique ? refused : altered, clients: 'breaks' },
      reason: isUnique
        ? `lists with equal items are refused, and applied lists are merged in another way: ${correct}`
        : 'applied lists replace those of other appliers: keep the type, or make the change in a new version',
    },
  ];
}

function listTypeOf({ listType, listMapKeys }: Schema): string {
  if (listType === 'map') return `map by ${listMapKeys.toSorted().join(', ')}`;
  return listType === '' ? 'atomic' : listType;
}

function mapTypeRule({ before, after }: NodePair): readonly Finding[] {
  const [was, is] = [before, after].map(({ schema }) => schema.mapType || 'granular');
  if (was === is || was === undefined || is === undefined) return [];
  const reason =
    'applied objects are merged in another way: keep the type, or make the change in a new version';
  return [
    {
      ...{ rule: 'map-type-changed', keyword: 'x-kubernetes-map-type', before: was, after: is },
      ...{ effect: harmless, clients: 'breaks', reason },
    },
  ];
}

function unknownFieldsRule({ before, after, altered }: NodePair): readonly Finding[] {
  const { type, additionalProperties } = after.schema;
  const isScalar = !['', 'object', 'array'].includes(type);
  if (!keepsUnknown(before) || keepsUnknown(after) || isScalar || isObject(additionalProperties)) return [];
  return [
    {
      ...{ rule: 'unknown-fields-dropped', keyword: 'x-kubernetes-preserve-unknown-fields', before: true },
      ...{ effect: dropping(altered), clients: 'breaks' },
      reason: 'fields without a schema are dropped: describe those that objects have',
    },
  ];
}

function embeddedRule({ before, after, altered }: NodePair): readonly Finding[] {
  const [was, is] = [before.schema.embeddedResource, after.schema.embeddedResource];
  const identity = ['apiVersion', 'kind', 'metadata'];
  const keeps = keepsUnknown(after) || identity.every((name) => after.schema.properties.has(name));
  if (was === is || (!is && keeps)) return [];
  return [
    {
      rule: is ? 'embedded-resource-added' : 'embedded-resource-removed',
      ...{ keyword: 'x-kubernetes-embedded-resource', before: was, after: is },
      ...{ effect: is ? refusal('') : dropping(altered), clients: 'breaks' },
      reason: is
        ? `objects without apiVersion and kind are refused: ${correct}`
        : 'apiVersion, kind and metadata are dropped: describe them as properties',
    },
  ];
}
