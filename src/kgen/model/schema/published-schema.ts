/** Schemas as an API server publishes them, without prose. */

import { schemaHoldings } from '@kgen/schema/rules/schema-keywords';
import { mapped } from '@kgen/schema/values/json';
import { byText } from '../../common/words.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isList, isObject, pointerStep } from '../../input/json.ts';
import type { EqualParts } from './equal-parts.ts';

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
 * @param parts if present, equal parts of its schemas are one object
 */
export function publishedSchema(schema: JsonObject, parts?: EqualParts): JsonObject {
  const copier = new Copier(parts);
  const copied = copier.schema(schema, 0);
  return copier.isExhausted ? anyObject : copied;
}

/** Properties that every object has. Servers publish schemas of their own for them. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns the schema of a custom resource with its own members, and `metadata` with the constraints on it. A
 * root without members of its own has no properties, as one that is read from an API server.
 * @param keepsTyped whether constraints on `apiVersion` and `kind` are kept, which servers do not publish
 */
export function ownRoot(schema: JsonObject, keepsTyped = false): JsonObject {
  const { properties, ...rest } = schema;
  if (!isObject(properties)) return schema;
  const all = Object.entries(ownProperties(properties));
  const own = Object.fromEntries(
    all.filter(([name, schema]) => keepsTyped || !isTyped(name) || !isObject(schema)),
  );
  return Object.keys(own).length === 0
    ? rest
    : { ...rest, properties: { metadata: { type: 'object' }, ...own } };
}

/** Returns the schema of an embedded object without the parts that servers replace and require themselves. */
export function ownEmbedded({ properties, required, ...rest }: JsonObject): JsonObject {
  const own = isObject(properties) ? ownProperties(properties) : {};
  const needed = isList(required) ? required.filter((name) => name !== 'apiVersion' && name !== 'kind') : [];
  return {
    ...rest,
    ...(Object.keys(own).length > 0 && { properties: own }),
    ...(needed.length > 0 && { required: needed }),
  };
}

/** Returns the properties without those of the identity that have no constraints. */
function ownProperties(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      if (!identity.has(name) || !isObject(schema)) return [[name, schema]];
      const constraints = publishedSchema(schema);
      return Object.keys(constraints).every((keyword) => keyword === 'type') ? [] : [[name, constraints]];
    }),
  );
}

/** Constraints on the identity of a kind and of embedded objects, by the JSON pointer of their schema. */
export type IdentityConstraints = Readonly<Record<string, JsonObject>>;

/** Maximum number of schemas that are searched for constraints. */
const maxSearched = 100_000;

/** Returns the constraints of a CRD's schema that servers enforce and do not publish. */
export function identityConstraints(root: JsonObject): IdentityConstraints {
  return found(root, (node, isRoot) => {
    if (!isRoot && node['x-kubernetes-embedded-resource'] !== true) return undefined;
    const properties = isObject(node['properties']) ? node['properties'] : {};
    const own = Object.entries(ownProperties(properties)).filter(([name]) => identity.has(name));
    return Object.fromEntries(own);
  });
}

/** Documentation that servers do not publish, by the JSON pointer of its schema. */
export type UnpublishedTexts = Readonly<Record<string, JsonObject>>;

const unpublishedKeywords: ReadonlySet<string> = new Set(['example', 'externalDocs']);

/** Returns examples and external documentation of a CRD's schema. */
export function unpublishedTexts(root: JsonObject): UnpublishedTexts {
  return found(root, (node) => {
    const hasTexts = Object.hasOwn(node, 'example') || Object.hasOwn(node, 'externalDocs');
    if (!hasTexts) return undefined;
    return mapped(node, (key, value) => (unpublishedKeywords.has(key) ? value : undefined));
  });
}

/** Steps to a schema, the last one first. */
interface Steps {
  readonly above: Steps | undefined;
  readonly keyword: string;
  /** Name of a property. */
  readonly name?: string;
}

/** Returns what a function finds in each schema, by JSON pointer, if it is not empty. */
function found(
  root: JsonObject,
  find: (node: JsonObject, isRoot: boolean) => JsonObject | undefined,
): Readonly<Record<string, JsonObject>> {
  const all = new Map<string, JsonObject>();
  let left = maxSearched;
  const search = (node: JsonValue | undefined, steps: Steps | undefined, depth: number): void => {
    left -= 1;
    if (!isObject(node) || left < 0 || depth > maxDepth) return;
    const here = find(node, steps === undefined);
    if (here !== undefined && Object.keys(here).length > 0) all.set(pointerOf(steps), here);
    const { properties } = node;
    if (isObject(properties)) {
      for (const name of Object.keys(properties))
        search(properties[name], { above: steps, keyword: 'properties', name }, depth + 1);
    }
    for (const keyword of ['items', 'additionalProperties'])
      if (isObject(node[keyword])) search(node[keyword], { above: steps, keyword }, depth + 1);
  };
  search(root, undefined, 0);
  return Object.fromEntries(all);
}

function pointerOf(steps: Steps | undefined): string {
  let pointer = '';
  for (let at = steps; at !== undefined; at = at.above)
    pointer = `/${at.keyword}${at.name === undefined ? '' : `/${pointerStep(at.name)}`}${pointer}`;
  return pointer;
}

/** `apiVersion` and `kind` of a root are constants. */
function isTyped(name: string): boolean {
  return name === 'apiVersion' || name === 'kind';
}

/** Returns the schema with these constraints and texts in place of its own. */
export function withUnpublished(
  root: JsonObject,
  constraints: IdentityConstraints,
  texts: UnpublishedTexts,
): JsonObject {
  let left = maxSearched;
  const visit = (node: JsonValue, pointer: string, depth: number): JsonValue => {
    left -= 1;
    if (!isObject(node) || left < 0 || depth > maxDepth) return node;
    const isObjectRoot = pointer === '' || node['x-kubernetes-embedded-resource'] === true;
    const published = Object.entries(node).filter(([keyword]) => !unpublishedKeywords.has(keyword));
    const parts = published.map(([keyword, value]): [string, JsonValue] => {
      const below = `${pointer}/${keyword}`;
      if (keyword === 'items' || keyword === 'additionalProperties')
        return [keyword, visit(value, below, depth + 1)];
      if (keyword !== 'properties' || !isObject(value)) return [keyword, value];
      const own = Object.entries(value).filter(([name]) => !isObjectRoot || !identity.has(name));
      return [
        keyword,
        Object.fromEntries(
          own.map(([name, one]) => [name, visit(one, `${below}/${pointerStep(name)}`, depth + 1)]),
        ),
      ];
    });
    const text = Object.hasOwn(texts, pointer) ? texts[pointer] : undefined;
    const visited: JsonObject = { ...Object.fromEntries(parts), ...text };
    const given = Object.hasOwn(constraints, pointer) && isObjectRoot ? constraints[pointer] : undefined;
    const properties = isObject(visited['properties']) ? visited['properties'] : {};
    return given === undefined ? visited : { ...visited, properties: { ...properties, ...given } };
  };
  const schema = visit(root, '', 0);
  return isObject(schema) ? schema : root;
}

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
  readonly #parts: EqualParts | undefined;
  #left = maxValues;
  /** Depth of the deepest value since the start of the schema that is copied. */
  #deepest = 0;

  constructor(parts: EqualParts | undefined) {
    this.#parts = parts;
  }

  get isExhausted(): boolean {
    return this.#left < 0;
  }

  schema(node: JsonObject, depth: number): JsonObject {
    const known = this.#parts?.copies.get(node);
    if (known !== undefined) {
      this.#spend(known.values, depth + known.height);
      return known.copy;
    }
    const [left, deepest] = [this.#left, this.#deepest];
    this.#deepest = depth;
    const copy = this.#copy(node, depth);
    const [values, height] = [left - this.#left, this.#deepest - depth];
    if (!this.isExhausted) this.#parts?.copies.set(node, { copy, values, height });
    this.#deepest = Math.max(deepest, this.#deepest);
    return copy;
  }

  #copy(node: JsonObject, depth: number): JsonObject {
    const isEmbedded = node['x-kubernetes-embedded-resource'] === true;
    const own = isEmbedded ? ownEmbedded(node) : node;
    return this.#object(own, depth, (keyword, value) => this.#keyword(keyword, value, depth + 1));
  }

  #keyword(keyword: string, value: JsonValue, depth: number): JsonValue | undefined {
    const isVendor = keyword.startsWith('x-') && !keyword.startsWith('x-kubernetes-');
    if (prose.has(keyword) || isVendor || (value === null && keyword !== 'default')) return undefined;
    const holding = schemaHoldings.get(keyword);
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

  /** Sorts the keys. `fromEntries` creates own properties, `__proto__` included. */
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
    return this.#parts?.objectOf(entries) ?? Object.fromEntries(entries);
  }

  #spend(values: number, depth: number): void {
    this.#deepest = Math.max(this.#deepest, depth);
    this.#left = depth > maxDepth ? -1 : this.#left - values;
  }
}
