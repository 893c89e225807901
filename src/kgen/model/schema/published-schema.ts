/** Schemas as an API server publishes them, without prose. */
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
    return this.#object(node, depth, (keyword, value) => this.#keyword(keyword, value, depth + 1));
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

  /** `fromEntries` creates own properties, `__proto__` included. */
  #object(
    object: JsonObject,
    depth: number,
    copy: (key: string, value: JsonValue) => JsonValue | undefined,
  ): JsonObject {
    const entries: [string, JsonValue][] = [];
    for (const key of Object.keys(object)) {
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
