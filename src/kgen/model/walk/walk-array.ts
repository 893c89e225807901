import type { JsonObject } from '../../input/crd/crd-input.ts';
import type { ArrayShape, Schema } from '../ir.ts';
import { asObject, isAbsent, textsIn } from '../schema/json.ts';
import { limitsOf, noLimits } from '../schema/limits.ts';
import { unknownSchema } from '../schema/schema.ts';
import { itemSpot, limited, type Spot } from '../schema/schema-path.ts';
import { refOf } from './references.ts';
import type { Walker } from './walker.ts';

/** Returns the type of a list. The number of items does not influence it. */
export function arrayType(node: JsonObject, spot: Spot, walker: Walker): ArrayShape {
  const items = itemsOf(node, spot, walker);
  const list = node['x-kubernetes-list-type'];
  const keys = list === 'map' ? textsIn(node['x-kubernetes-list-map-keys']) : mergeKeys(node, walker);
  if (list === 'map' || keys.length > 0)
    return { shape: 'array', items, list: 'map', mapKeys: mapKeysOf(keys, node, items, walker) };
  return { shape: 'array', items, list: list === 'set' ? list : 'atomic', mapKeys: [] };
}

function itemsOf(node: JsonObject, spot: Spot, walker: Walker): Schema {
  const items = node['items'];
  if (!isAbsent(items)) {
    const limits = limitsOf(node, spot.limits ?? noLimits, (schema) => schema['items']);
    return walker.walk(items, limited(itemSpot(spot), limits));
  }
  return unknownSchema(
    node['x-kubernetes-preserve-unknown-fields'] === true ? 'preserve-unknown' : 'untyped',
  );
}

/** Keys are used only if each of them is a property that every item can have. */
function mapKeysOf(
  requested: readonly string[],
  node: JsonObject,
  items: Schema,
  { references }: Walker,
): readonly string[] {
  const keys = [...new Set(requested)];
  const item = asObject(node['items']);
  const ref = references === undefined ? undefined : refOf(item);
  const properties = asObject((ref === undefined ? item : references?.schemaOf(ref))?.['properties']);
  const isObject = items.shape === 'ref' || items.shape === 'runtime';
  if (properties === undefined || !isObject || items.nullable) return [];
  return keys.every((key) => Object.hasOwn(properties, key)) ? keys : [];
}

/**
 * Returns the key by which strategic merge patches and apply match the items of a list without a list type.
 * Servers treat such a list as a map.
 */
function mergeKeys(node: JsonObject, { references }: Walker): readonly string[] {
  const key = node['x-kubernetes-patch-merge-key'];
  const strategy = node['x-kubernetes-patch-strategy'];
  const isMerged = typeof strategy === 'string' && strategy.split(',').includes('merge');
  if (references === undefined || !isMerged || typeof key !== 'string') return [];
  return isAbsent(node['x-kubernetes-list-type']) ? [key] : [];
}
