/** Tags of schemas beside their types, in the notation of `notation/tags.ts`. */
import {
  compact,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  mapped,
  omit,
  own,
} from '@kgen/schema/values/json';
import { byText } from '../../common/words.ts';
import type { Facts, Literal, NamedType, Schema } from '../../model/ir.ts';
import { oneLine } from '../../notation/descriptions.ts';
import { knownTypes } from '../../notation/known-types.ts';
import { isIdentity, normalNode } from '../../notation/normal.ts';
import { tagsFor } from '../../notation/tags-for.ts';
import { joinPart, type PartStep, printValue } from '../../notation/values.ts';
import type { EmitOptions } from '../options.ts';
import type { Tag } from './docs.ts';
import { isUnknown } from './schema-text.ts';

/** Types of a module by name. */
export type TypesByName = ReadonlyMap<string, NamedType>;

/** How tags are printed. */
export interface TagOptions {
  readonly types: TypesByName;
  readonly docs: EmitOptions['docs'];
  /** Whether a tag has to state the description. Default: false. */
  readonly describes?: boolean;
  /** Whether the type states everything except for the properties and the description. Default: false. */
  readonly isStated?: boolean;
}

/** The part of a schema that its printed type expresses. */
interface Expressed {
  /** Keywords that `kgen manifests` derives from the type. */
  readonly base: JsonObject;
  /** Keyword with the schemas of other types. */
  readonly through?: 'properties' | 'items' | 'additionalProperties';
  /** Whether it is the schema of a kind. Default: false. */
  readonly isRoot?: boolean;
}

/** Returns the tags of a value, and those of the items of a list or the values of a map. */
export function schemaTags(schema: Schema, options: TagOptions): readonly Tag[] {
  return inOrder([...valueTags(schema, options), ...partTags(schema, options)]);
}

/** Returns the tags of the interface of an object. */
export function typeTags(type: NamedType, options: TagOptions): readonly Tag[] {
  const isRoot = type.role === 'kind';
  return inOrder(factTags(type.facts, { base: objectBase(type), through: 'properties', isRoot }, options));
}

/** JSON of any length does not separate the other tags. */
function inOrder(tags: readonly Tag[]): readonly Tag[] {
  return [...tags.filter(({ name }) => name !== 'schema'), ...tags.filter(({ name }) => name === 'schema')];
}

function valueTags(schema: Schema, options: TagOptions): readonly Tag[] {
  if (options.docs === 'none') return noTags;
  return [...factTags(schema.facts, expressedBy(schema, options.types), options), ...numberTags(schema)];
}

/** Tags of objects are part of their types, unless the type has other ones elsewhere. */
function partTags(schema: Schema, options: TagOptions, outer: readonly PartStep[] = []): readonly Tag[] {
  if (schema.shape !== 'array' && schema.shape !== 'map') return noTags;
  const isList = schema.shape === 'array';
  const part = isList ? schema.items : schema.values;
  if (!isList && isUnknown(part)) return noTags;
  const path: readonly PartStep[] = [...outer, isList ? 'items' : 'values'];
  const tags =
    part.shape === 'ref' ? referenceTags(part, options) : valueTags(part, described(part, options));
  const own = tags.map(({ name, text }) => ({ name, text: joinPart(text, path) }));
  return [...own, ...partTags(part, options, path)];
}

/** A part has no comment with its description. */
function described({ facts }: Schema, options: TagOptions): TagOptions {
  return { ...options, describes: facts.isWhole === true };
}

function referenceTags(part: Schema, options: TagOptions): readonly Tag[] {
  const type = part.shape === 'ref' && part.from === undefined ? options.types.get(part.name) : undefined;
  if (part.shape !== 'ref' || type?.role !== 'nested' || part.facts.isWhole !== true) return noTags;
  const describes = type.facts.description === undefined;
  if (type.facts.isWhole !== true) return valueTags(part, { ...options, describes });
  return part.variant === undefined && !describes
    ? noTags
    : valueTags(part, { ...options, describes, isStated: true });
}

/** Returns the tag that distinguishes integers from other numbers, if their format does not. */
function numberTags({ shape, facts }: Schema): readonly Tag[] {
  if (shape !== 'integer' && shape !== 'number') return noTags;
  const formats = shape === 'integer' ? ['int32', 'int64'] : ['float', 'double'];
  return formats.some((format) => own(facts.keywords, 'format') === format)
    ? noTags
    : [{ name: shape, text: '' }];
}

const noTags: readonly Tag[] = [];

function factTags(facts: Facts, shape: Expressed, options: TagOptions): readonly Tag[] {
  const { docs, describes = false, isStated = false } = options;
  const { keywords, isWhole = false, immutable } = facts;
  const { base, through, isRoot }: Expressed = isWhole ? shape : { base: typeIn(shape.base) };
  const all = isWhole ? keywords : { ...omit(keywords, mergeKey, mergeStrategy), ...base };
  const node = normalNode(docs === 'full' ? folded(all) : withoutProse(all), isRoot);
  const expressed = new Set([
    ...(isStated ? Object.keys({ ...base, ...node }).filter((key) => !partKeywords.has(key)) : []),
    ...(describes ? [] : ['description']),
    ...(through === undefined ? [] : [through]),
  ]);
  const tags = tagsFor({ node, base, expressed, mayBeImmutable: false }).map(({ definition, value }) => ({
    name: definition.name,
    text: printValue(definition, value),
  }));
  const rules = tags.findIndex(({ name }) => ruleTags.has(name));
  const first = rules === -1 ? tags.length : rules;
  return [
    ...tags.slice(0, first),
    ...(isWhole ? noTags : mergeTags(keywords)),
    ...tags.slice(first),
    ...(immutable === true && !isStated ? [{ name: 'immutable', text: '' }] : []),
  ];
}

/** Keywords in which the objects of a type may differ. */
const partKeywords: ReadonlySet<string> = new Set(['properties', 'required', 'description']);

/** Tags behind those of merge patches. */
const ruleTags: ReadonlySet<string> = new Set(['constraint', 'validate', 'schema']);

const mergeKey = 'x-kubernetes-patch-merge-key';
const mergeStrategy = 'x-kubernetes-patch-strategy';

/** Returns the tags of strategic merge patches, which only built-in kinds have. */
function mergeTags(keywords: JsonObject): readonly Tag[] {
  const names = [
    ['patchMergeKey', mergeKey],
    ['patchStrategy', mergeStrategy],
  ] as const;
  return names.flatMap(([name, keyword]) => {
    const value = own(keywords, keyword);
    if (value === undefined) return [];
    return [{ name, text: isArray(value) ? value.join(', ') : String(value) }];
  });
}

/** Types that are not whole are expressed as far as tags depend on them. */
function typeIn(base: JsonObject): JsonObject {
  const intOrString = own(base, 'x-kubernetes-int-or-string');
  return compact({ type: own(base, 'type'), 'x-kubernetes-int-or-string': intOrString });
}

/** Tags keep no line breaks. */
function folded(keywords: JsonObject): JsonObject {
  const description = own(keywords, 'description');
  return typeof description === 'string' ? { ...keywords, description: oneLine(description) } : keywords;
}

/** Returns the keywords without text of the schema's author. */
function withoutProse(keywords: JsonObject): JsonObject {
  return mapped(omit(keywords, 'description', 'title', 'example', 'externalDocs'), (key, value) =>
    key === 'x-kubernetes-validations' && isArray(value) ? value.map(withoutMessage) : value,
  );
}

function withoutMessage(rule: Json): Json {
  return isObject(rule) ? omit(rule, 'message') : rule;
}

function expressedBy(schema: Schema, types: TypesByName): Expressed {
  const shape = shapeBase(schema, types);
  const isNullable = schema.nullable && !isUnknown(schema);
  return isNullable ? { ...shape, base: { ...shape.base, nullable: true } } : shape;
}

function shapeBase(schema: Schema, types: TypesByName): Expressed {
  switch (schema.shape) {
    case 'string':
    case 'boolean':
    case 'integer':
    case 'number':
      return { base: { type: schema.shape } };
    case 'int-or-string':
      // Servers accept the pair of types in one place only.
      return { base: own(schema.facts.keywords, 'allOf') === undefined ? intOrString : intOrStringPair };
    case 'enum':
      return { base: literalBase(schema.values) };
    case 'constant':
      return { base: { type: 'string' } };
    case 'array':
      return { base: { type: 'array', items: {} }, through: 'items' };
    case 'map':
      return isUnknown(schema.values)
        ? { base: knownTypes.get('json-object') ?? {} }
        : { base: { type: 'object', additionalProperties: {} }, through: 'additionalProperties' };
    case 'ref':
      return referenceBase(schema, types);
    case 'runtime':
      return { base: schema.name === 'EmbeddedObject' ? embedded : { type: 'object' } };
    case 'unknown':
      return { base: { 'x-kubernetes-preserve-unknown-fields': true } };
    case 'union':
      return { base: {} };
  }
}

const intOrStringPair = knownTypes.get('int-or-string') ?? {};
const intOrString = normalNode(intOrStringPair);
const embedded = knownTypes.get('embedded-resource') ?? {};

function literalBase(values: readonly Literal[]): JsonObject {
  const [type = 'string', ...others] = new Set(values.map((value) => typeof value));
  if (type === 'boolean' && others.length === 0 && values.length === 2) return { type };
  const isInteger = type === 'number' && values.every((value) => Number.isInteger(value));
  return { type: isInteger ? 'integer' : type, enum: values };
}

function referenceBase(
  { name, from, variant, facts }: Extract<Schema, { readonly shape: 'ref' }>,
  types: TypesByName,
): Expressed {
  const type = from === undefined ? types.get(name) : undefined;
  const base = type === undefined ? { type: 'object' } : objectBase(type, facts);
  return variant === undefined ? { base, through: 'properties' } : { base: omit(base, 'properties') };
}

/** Returns what a reader derives from an interface. */
function objectBase({ properties, rest, role }: NamedType, { keywords }: Facts = noFacts): JsonObject {
  const isWhole = role === 'kind' || own(keywords, 'x-kubernetes-embedded-resource') === true;
  const members = properties.filter(({ name }) => !isWhole || !isIdentity(name));
  const required = members.filter((property) => property.required).map(({ name }) => name);
  return {
    type: 'object',
    ...(members.length > 0 && { properties: {} }),
    ...(required.length > 0 && { required: required.sort(byText) }),
    ...(rest !== undefined && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
}

const noFacts: Facts = { keywords: {} };
