/** Conversion of schemas of API servers to JSON Schema draft-07, strict as `kubectl --validate=strict`. */
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isList, isObject, own } from '../../input/json.ts';
import { ownEmbedded } from '../../model/schema/published-schema.ts';

/** Options of `strictSchema`. */
export interface StrictOptions {
  /** Whether descriptions are kept, which editors display. */
  readonly descriptions: boolean;
  /** Returns the reference for the full name of a definition. */
  readonly refer: (definition: string) => string;
}

/** Maximum number of schemas in one file. Beyond it, schemas accept every value. */
const maxSchemas = 200_000;
/** Maximum nesting of schemas. Deeper ones accept every value. */
const maxDepth = 200;

/** Keywords whose meaning is the same in both. */
const sameKeywords: ReadonlySet<string> = new Set([
  ...['default', 'enum', 'title'],
  ...[
    'maxItems',
    'maxLength',
    'maxProperties',
    'maximum',
    'minItems',
    'minLength',
    'minProperties',
    'minimum',
  ],
  ...['multipleOf', 'uniqueItems'],
]);

/** Formats that JSON Schema and API servers both define. */
const formats: ReadonlySet<string> = new Set([
  'date',
  'date-time',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
]);

const logicKeywords = ['allOf', 'anyOf', 'oneOf'] as const;

/** Properties of an embedded object that its schema does not list. */
const identity: JsonObject = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'object' },
};

/**
 * Returns a JSON Schema. Objects with properties accept no other ones unless the schema permits them. A
 * required property with a default is optional, because the server sets it. Rules that JSON Schema cannot
 * express, such as CEL, are left out.
 */
export function strictSchema(schema: JsonObject, options: StrictOptions): JsonObject {
  return new Converter(options).convert(schema, 0, true);
}

class Converter {
  #left = maxSchemas;
  readonly #options: StrictOptions;

  constructor(options: StrictOptions) {
    this.#options = options;
  }

  /** @param isStructure whether the schema is not a member of a logical keyword */
  convert(node: JsonObject, depth: number, isStructure: boolean): JsonObject {
    this.#left -= 1;
    if (this.#left < 0 || depth > maxDepth) return {};
    const ref = own(node, '$ref');
    if (typeof ref === 'string') return this.#reference(node, ref);
    const result: Record<string, JsonValue> = { ...this.#facts(node), ...typeOf(node) };
    for (const keyword of logicKeywords) {
      const members = own(node, keyword);
      if (isList(members)) result[keyword] = members.map((member) => this.#member(member, depth));
    }
    const not = own(node, 'not');
    if (isObject(not)) result['not'] = this.#member(not, depth);
    const items = own(node, 'items');
    if (isObject(items)) result['items'] = this.convert(items, depth + 1, isStructure);
    Object.assign(result, this.#object(node, depth, isStructure));
    return hasIntOrString(node) ? withIntOrString(result, isNullable(node)) : result;
  }

  #member(member: JsonValue, depth: number): JsonObject {
    return isObject(member) ? this.convert(member, depth + 1, false) : {};
  }

  /** Siblings of a reference have no effect in draft-07. */
  #reference(node: JsonObject, name: string): JsonObject {
    const reference = { $ref: this.#options.refer(name) };
    const facts = this.#facts(node);
    return Object.keys(facts).length === 0 ? reference : { ...facts, allOf: [reference] };
  }

  #facts(node: JsonObject): JsonObject {
    const facts: Record<string, JsonValue> = {};
    for (const [keyword, value] of Object.entries(node)) {
      if (value === null) continue;
      if (sameKeywords.has(keyword)) facts[keyword] = value;
      if (keyword === 'description' && this.#options.descriptions) facts[keyword] = value;
      if (keyword === 'format' && formats.has(String(value))) facts[keyword] = value;
      if (keyword === 'pattern' && isPattern(value)) facts[keyword] = value;
    }
    for (const [limit, exclusive] of exclusives) {
      if (node[exclusive] !== true || facts[limit] === undefined) continue;
      facts[exclusive] = facts[limit];
      delete facts[limit];
    }
    return facts;
  }

  #object(schema: JsonObject, depth: number, isStructure: boolean): JsonObject {
    const result: Record<string, JsonValue> = {};
    const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
    const node = isEmbedded ? ownEmbedded(schema) : schema;
    const given = own(node, 'properties');
    const properties = { ...(isEmbedded && identity), ...(isObject(given) ? given : {}) };
    const names = Object.keys(properties).sort();
    if (names.length > 0) {
      result['properties'] = Object.fromEntries(
        names.map((name) => [name, this.#property(own(properties, name), depth, isStructure)]),
      );
    }
    const required = [...(isEmbedded ? ['apiVersion', 'kind'] : []), ...requiredOf(node, properties)];
    if (required.length > 0) result['required'] = required;
    const values = own(node, 'additionalProperties');
    if (isObject(values)) result['additionalProperties'] = this.convert(values, depth + 1, isStructure);
    else if (typeof values === 'boolean') result['additionalProperties'] = values;
    else if (isStructure && names.length > 0 && !isOpen(node)) result['additionalProperties'] = false;
    return result;
  }

  #property(schema: JsonValue | undefined, depth: number, isStructure: boolean): JsonObject {
    return isObject(schema) ? this.convert(schema, depth + 1, isStructure) : {};
  }
}

const exclusives = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

function typeOf(node: JsonObject): JsonObject {
  const type = own(node, 'type');
  if (type === undefined || hasIntOrString(node)) return {};
  return { type: isNullable(node) && typeof type === 'string' ? [type, 'null'] : type };
}

/** Servers refuse `null` for every value with an `enum`. */
function isNullable(node: JsonObject): boolean {
  return node['nullable'] === true && own(node, 'enum') === undefined;
}

function hasIntOrString(node: JsonObject): boolean {
  return node['x-kubernetes-int-or-string'] === true || node['format'] === 'int-or-string';
}

/** Returns the form of kubeconform, in place of a union that states the same. */
function withIntOrString({ anyOf, ...schema }: JsonObject, withNull: boolean): JsonObject {
  const types = [{ type: 'string' }, { type: 'integer' }, ...(withNull ? [{ type: 'null' }] : [])];
  const isSame = isList(anyOf) && anyOf.every((one) => isObject(one) && Object.keys(one).join() === 'type');
  return { ...schema, ...(anyOf !== undefined && !isSame && { anyOf }), oneOf: types };
}

function requiredOf(node: JsonObject, properties: JsonObject): readonly string[] {
  const required = own(node, 'required');
  return (isList(required) ? required : [])
    .filter((name) => typeof name === 'string')
    .filter((name) => {
      const property = own(properties, name);
      return !isObject(property) || own(property, 'default') === undefined;
    });
}

/** A union may add properties in schemas that are not structural. */
function isOpen(node: JsonObject): boolean {
  return (
    node['x-kubernetes-preserve-unknown-fields'] === true ||
    own(node, 'patternProperties') !== undefined ||
    logicKeywords.some((keyword) => addsProperties(own(node, keyword), own(node, 'properties')))
  );
}

function addsProperties(members: JsonValue | undefined, properties: JsonValue | undefined): boolean {
  const known = isObject(properties) ? properties : {};
  return (isList(members) ? members : []).some((member) => {
    const added = isObject(member) ? own(member, 'properties') : undefined;
    return isObject(added) && Object.keys(added).some((name) => !Object.hasOwn(known, name));
  });
}

/** Patterns of Go that JavaScript does not compile are left out. */
function isPattern(value: JsonValue): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}
