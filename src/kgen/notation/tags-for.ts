/** Tags with which a type is a complete notation of a schema. */
import { equal, isArray, type Json, type JsonObject, own } from '@kgen/schema/values/json';
import { atomicKeyword, type SchemaTag, taggedType, withTag } from './keywords.ts';
import { endsImmutable } from './rules.ts';
import { schemaTags, schemaTagsByName, type TagDefinition } from './tags.ts';
import { parseValue, printValue } from './values.ts';

/** A schema and what its type says. */
export interface Described {
  readonly node: JsonObject;
  /** Keywords that a reader derives from the type alone. */
  readonly base: JsonObject;
  /** Keywords that the type and the comments express otherwise. */
  readonly expressed: ReadonlySet<string>;
  /** Whether `@immutable` adds exactly one rule here: the object of an optional member has the other one. */
  readonly mayBeImmutable: boolean;
}

/** Returns the tags that turn the keywords of the type into those of the schema, in the order of printing. */
export function tagsFor(described: Described): readonly SchemaTag[] {
  const { node, base, expressed } = described;
  if (Object.keys(difference(base, node, expressed)).length === 0) return [];
  const tags: SchemaTag[] = [];
  let current = base;
  const add = (tag: SchemaTag): void => {
    tags.push(tag);
    current = withTag(current, tag);
  };
  for (const definition of schemaTags) {
    for (const value of proposals(definition, current, described)) {
      const type = taggedType(current);
      const fits = definition.types === undefined || type === undefined || definition.types.includes(type);
      if (fits && isKept(definition, value)) add({ definition, value });
    }
  }
  const rest = difference(current, node, expressed);
  const schema = schemaTagsByName.get('schema');
  if (schema !== undefined && Object.keys(rest).length > 0) tags.push({ definition: schema, value: rest });
  return tags;
}

/** Returns whether the printed value is parsed to an equal one. */
function isKept(definition: TagDefinition, value: Json): boolean {
  const parsed = parseValue(definition, printValue(definition, value));
  return 'value' in parsed && equal(parsed.value, value);
}

function proposals(definition: TagDefinition, current: JsonObject, described: Described): readonly Json[] {
  const { node, expressed } = described;
  const { keyword, name } = definition;
  if (keyword !== undefined) {
    const value = own(node, keyword);
    const isMissing = value !== undefined && !expressed.has(keyword) && !equal(value, own(current, keyword));
    return isMissing && !isExclusive(keyword, node) ? [value] : [];
  }
  switch (name) {
    case 'exclusiveMinimum':
    case 'exclusiveMaximum': {
      const value = own(node, name === 'exclusiveMinimum' ? 'minimum' : 'maximum');
      return own(node, name) === true && value !== undefined ? [value] : [];
    }
    case 'listMap': {
      const keys = own(node, 'x-kubernetes-list-map-keys');
      return own(node, 'x-kubernetes-list-type') === 'map' && keys !== undefined ? [keys] : [];
    }
    case 'listSet':
      return flag(own(node, 'x-kubernetes-list-type') === 'set');
    case 'atomic':
      return flag(own(node, atomicKeyword(current)) === 'atomic');
    case 'granular':
      return flag(own(node, 'x-kubernetes-map-type') === 'granular');
    case 'embedded':
      return flag(
        own(node, 'x-kubernetes-embedded-resource') === true &&
          own(current, 'x-kubernetes-embedded-resource') !== true,
      );
    case 'constraint':
      return constraints(described, current);
    case 'validate':
      return newRules(described);
    case 'immutable':
      return flag(isImmutable(described));
    default:
      return [];
  }
}

/** Keywords that constrain values beside their type, and those of objects whose members are not declared. */
const logicalKeywords = [
  ...['enum', 'required', 'properties', 'allOf', 'anyOf', 'oneOf', 'not', 'x-kubernetes-unions'],
] as const;

function constraints({ node, expressed }: Described, current: JsonObject): readonly Json[] {
  return logicalKeywords.flatMap((keyword): JsonObject[] => {
    const value = own(node, keyword);
    const isNew = value !== undefined && !expressed.has(keyword) && own(current, keyword) === undefined;
    return isNew ? [{ [keyword]: value }] : [];
  });
}

function flag(isSet: boolean): readonly Json[] {
  return isSet ? [true] : [];
}

/** An exclusive bound is a tag of its own. */
function isExclusive(keyword: string, node: JsonObject): boolean {
  if (keyword === 'minimum') return own(node, 'exclusiveMinimum') === true;
  return keyword === 'maximum' && own(node, 'exclusiveMaximum') === true;
}

/** Returns the rules behind those of the type, without the one that `@immutable` adds. */
function newRules(described: Described): readonly Json[] {
  const { node, base } = described;
  const rules = rulesOf(node);
  const before = rulesOf(base);
  if (before.some((rule, index) => !equal(rule, rules[index]))) return [];
  const added = rules.slice(before.length);
  const isValid = added.every((rule) => typeof own(rule, 'rule') === 'string');
  if (!isValid) return [];
  return isImmutable(described) ? added.slice(0, -1) : added;
}

function isImmutable({ node, base, mayBeImmutable }: Described): boolean {
  const rules = rulesOf(node);
  return mayBeImmutable && rules.length > rulesOf(base).length && endsImmutable(rules);
}

function rulesOf(node: JsonObject): readonly Json[] {
  const rules = own(node, 'x-kubernetes-validations');
  return isArray(rules) ? rules : [];
}

/** Returns the keywords that are missing or differ; those that are too many are null. */
function difference(from: JsonObject, to: JsonObject, expressed: ReadonlySet<string>): JsonObject {
  const entries = [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap(
    (key): [string, Json][] => {
      if (expressed.has(key) || equal(own(from, key), own(to, key))) return [];
      return [[key, own(to, key) ?? null]];
    },
  );
  return Object.fromEntries(entries);
}
