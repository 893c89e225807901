/** Schemas as an API server publishes them, without prose. */

import { byText } from '../../common/words.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isList, isObject } from '../../input/json.ts';

/** Schema that accepts every object. It replaces a schema that is too large or nested too deeply. */
export const anyObject: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Maximum number of JSON values in one schema. Long names count as several. */
const maxValues = 500_000;

/** Maximum nesting depth of JSON in one schema. Schemas with 200 levels have about 400. */
const maxDepth = 500;

/**
 * Returns a schema without descriptions, examples and keywords that API servers drop. `null` counts as
 * absent, except in a default. The result of a schema beyond the limits is `anyObject`, so that the time is
 * bounded even if the parts of the input are shared.
 */
export function publishedSchema(schema: JsonObject): JsonObject {
  const copier = new Copier();
  const copied = copier.schema(schema, 0);
  return copier.isExhausted ? anyObject : copied;
}

/** Properties that every object has. Servers publish schemas of their own for them. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns the schema of a custom resource with its own members, and `metadata` with the constraints on it. A
 * root without members of its own has no properties, as one that is read from an API server.
 */
export function ownRoot(schema: JsonObject): JsonObject {
  const { properties, ...rest } = schema;
  const given = isObject(properties) ? Object.entries(properties) : [];
  const own = given.filter(([name]) => !identity.has(name));
  const metadata = metadataConstraints(schema);
  if (own.length === 0 && metadata === undefined) return rest;
  return { ...rest, properties: { metadata: metadata ?? { type: 'object' }, ...Object.fromEntries(own) } };
}

/** Returns the constraints of a CRD's schema on `metadata`, which servers enforce and do not publish. */
export function metadataConstraints({ properties }: JsonObject): JsonObject | undefined {
  const metadata = isObject(properties) ? properties['metadata'] : undefined;
  const schema = isObject(metadata) ? publishedSchema(metadata) : {};
  return Object.keys(schema).every((keyword) => keyword === 'type') ? undefined : schema;
}

/** Position of schemas in the value of a keyword; `schema` may also be a list of schemas, or a boolean. */
const holdings: ReadonlyMap<string, 'schema' | 'map'> = new Map([
  ...(['properties', 'patternProperties', 'definitions', 'dependencies'] as const).map(
    (keyword) => [keyword, 'map'] as const,
  ),
  ...(['items', 'additionalItems', 'additionalProperties', 'not', 'allOf', 'anyOf', 'oneOf'] as const).map(
    (keyword) => [keyword, 'schema'] as const,
  ),
]);

/** Keywords that do not influence which values are valid. */
const prose: ReadonlySet<string> = new Set([
  '$schema',
  'description',
  'example',
  'externalDocs',
  'id',
  'title',
]);

class Copier {
  #left = maxValues;

  get isExhausted(): boolean {
    return this.#left < 0;
  }

  schema(node: JsonObject, depth: number): JsonObject {
    const isEmbedded = node['x-kubernetes-embedded-resource'] === true;
    const own = isEmbedded ? withoutIdentity(node) : node;
    return this.#object(own, depth, (keyword, value) => this.#keyword(keyword, value, depth + 1));
  }

  #keyword(keyword: string, value: JsonValue, depth: number): JsonValue | undefined {
    const isVendor = keyword.startsWith('x-') && !keyword.startsWith('x-kubernetes-');
    if (prose.has(keyword) || isVendor || (value === null && keyword !== 'default')) return undefined;
    const holding = holdings.get(keyword);
    if (holding === 'map' && isObject(value))
      return this.#object(value, depth, (_name, member) => this.#member(member, depth + 1));
    if (holding === 'schema' && isList(value)) return value.map((member) => this.#member(member, depth + 1));
    return holding === 'schema' ? this.#member(value, depth) : this.#value(value, depth);
  }

  #member(value: JsonValue, depth: number): JsonValue {
    return isObject(value) ? this.schema(value, depth) : this.#value(value, depth);
  }

  #value(value: JsonValue, depth: number): JsonValue {
    this.#spend(1, depth);
    if (this.isExhausted) return null;
    if (isList(value)) return value.map((item) => this.#value(item, depth + 1));
    return isObject(value)
      ? this.#object(value, depth, (_name, member) => this.#value(member, depth + 1))
      : value;
  }

  /** Sorts the keys, whose order differs between sources. `fromEntries` creates own properties, `__proto__` included. */
  #object(
    object: JsonObject,
    depth: number,
    copy: (key: string, value: JsonValue) => JsonValue | undefined,
  ): JsonObject {
    const entries: [string, JsonValue][] = [];
    for (const key of Object.keys(object).sort(byText)) {
      this.#spend(1 + key.length / 100, depth);
      if (this.isExhausted) break;
      const copied = copy(key, object[key] ?? null);
      if (copied !== undefined) entries.push([key, copied]);
    }
    return Object.fromEntries(entries);
  }

  #spend(values: number, depth: number): void {
    this.#left = depth > maxDepth ? -1 : this.#left - values;
  }
}

/** Returns the schema of an embedded object without its identity, which servers require and publish themselves. */
function withoutIdentity({ properties, required, ...rest }: JsonObject): JsonObject {
  const own = Object.entries(isObject(properties) ? properties : {}).filter(([name]) => !identity.has(name));
  const needed = (isList(required) ? required : []).filter(
    (name) => name !== 'apiVersion' && name !== 'kind',
  );
  return {
    ...rest,
    ...(own.length > 0 && { properties: Object.fromEntries(own) }),
    ...(needed.length > 0 && { required: needed }),
  };
}
