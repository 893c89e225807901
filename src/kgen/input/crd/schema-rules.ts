/** Mistakes in the schemas of CRDs: unknown keywords and keys of lists. */
import { quote } from '../../common/problems.ts';
import { closestName } from '../../common/words.ts';
import { isList, isObject, own } from '../json.ts';
import type { Checker } from './checker.ts';
import type { JsonObject, JsonPath, JsonValue } from './crd-input.ts';

/** Fields of `JSONSchemaProps` in `apiextensions.k8s.io`. The API server drops every other one. */
const keywords: ReadonlySet<string> = new Set([
  ...[
    '$ref',
    '$schema',
    'additionalItems',
    'additionalProperties',
    'allOf',
    'anyOf',
    'default',
    'definitions',
  ],
  ...[
    'dependencies',
    'description',
    'enum',
    'example',
    'exclusiveMaximum',
    'exclusiveMinimum',
    'externalDocs',
  ],
  ...['format', 'id', 'items', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minItems', 'minLength'],
  ...['minProperties', 'minimum', 'multipleOf', 'not', 'nullable', 'oneOf', 'pattern', 'patternProperties'],
  ...['properties', 'required', 'title', 'type', 'uniqueItems'],
  ...['embedded-resource', 'int-or-string', 'list-map-keys', 'list-type', 'map-type'].map(kubernetes),
  ...['preserve-unknown-fields', 'validations'].map(kubernetes),
]);

function kubernetes(name: string): string {
  return `x-kubernetes-${name}`;
}

interface Node {
  readonly path: JsonPath;
  readonly schema: JsonObject;
}

/**
 * Adds a warning for each keyword that the API server drops, and for each schema that it rejects because of
 * map keys. Such mistakes do not prevent the generation, but weaken the types. Vendor extensions
 * (`x-…` other than `x-kubernetes-…`) are accepted. A node that aliases share is checked once.
 */
export function checkSchema(check: Checker, path: JsonPath, schema: JsonObject): void {
  const seen = new Set<JsonObject>();
  const open: Node[] = [{ path, schema }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node.schema)) continue;
    seen.add(node.schema);
    checkKeywords(check, node);
    checkMapKeys(check, node);
    // Reversed, so that findings are in the order of the document.
    for (const child of inner(node).reverse()) open.push(child);
  }
}

function checkKeywords(check: Checker, { path, schema }: Node): void {
  for (const key of Object.keys(schema)) {
    if (keywords.has(key) || /^x-(?!kubernetes-)/.test(key)) continue;
    const closest = closestName(key, keywords);
    const advice = closest === undefined ? 'remove it' : `did you mean ${quote(closest)}?`;
    check.warning(
      { path: [...path, key], value: schema[key] },
      `unknown keyword ${quote(key)} in a schema, which the API server drops: ${advice}`,
    );
  }
}

/** Rules of the API server for the keys of a list of type map. */
function checkMapKeys(check: Checker, { path, schema }: Node): void {
  const items = own(schema, 'items');
  const keys = own(schema, listMapKeys);
  if (own(schema, 'x-kubernetes-list-type') !== 'map' || !isObject(items) || !isList(keys)) return;
  const required = own(items, 'required');
  const properties = own(items, 'properties');
  for (const [index, key] of keys.entries()) {
    if (typeof key !== 'string') continue;
    const property = isObject(properties) ? own(properties, key) : undefined;
    const fault = mapKeyFault(key, property, isList(required) && required.includes(key));
    const site = { path: [...path, listMapKeys, index], value: key };
    if (fault !== undefined)
      check.warning(site, `${fault}, and the API server rejects that: ${mapKeyAdvice}`);
  }
}

const listMapKeys = 'x-kubernetes-list-map-keys';
const mapKeyAdvice = 'each key must be a property of the items that is required or has a default';

function mapKeyFault(key: string, property: JsonValue | undefined, isRequired: boolean): string | undefined {
  const name = `the key ${quote(key)} of ${listMapKeys}`;
  if (!isObject(property)) return `${name} is not a property of the items`;
  const isOptional = !isRequired && own(property, 'default') === undefined;
  return isOptional ? `${name} is neither required nor has a default` : undefined;
}

const single = ['items', 'additionalItems', 'additionalProperties', 'not'] as const;
const lists = ['items', 'allOf', 'anyOf', 'oneOf'] as const;
const maps = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const;

function inner({ path, schema }: Node): Node[] {
  return [
    ...maps.flatMap((key) => {
      const members = own(schema, key);
      return isObject(members) ? nodes(Object.entries(members), [...path, key]) : [];
    }),
    ...single.flatMap((key) => nodes([[key, own(schema, key)]], path)),
    ...lists.flatMap((key) => {
      const members = own(schema, key);
      return isList(members) ? nodes([...members.entries()], [...path, key]) : [];
    }),
  ];
}

function nodes(
  members: readonly (readonly [step: string | number, value: JsonValue | undefined])[],
  path: JsonPath,
): readonly Node[] {
  return members.flatMap(([step, schema]) => (isObject(schema) ? [{ path: [...path, step], schema }] : []));
}
