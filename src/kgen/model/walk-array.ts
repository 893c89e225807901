import type { JsonObject } from '../input/crd-input.ts';
import type { ArrayShape, Schema } from './ir.ts';
import { asObject, isAbsent, textsIn } from './json.ts';
import { unknownSchema } from './schema.ts';
import { itemSpot, type Spot } from './spot.ts';
import type { Walker } from './walker.ts';

/** A list. How many items it may have never changes its type. */
export function arrayType(node: JsonObject, spot: Spot, walker: Walker): ArrayShape {
  const items = itemsOf(node, spot, walker);
  const list = node['x-kubernetes-list-type'];
  if (list === 'map') return { shape: 'array', items, list, mapKeys: mapKeysOf(node, items) };
  return { shape: 'array', items, list: list === 'set' ? list : 'atomic', mapKeys: [] };
}

function itemsOf(node: JsonObject, spot: Spot, walker: Walker): Schema {
  const items = node['items'];
  if (!isAbsent(items)) return walker.walk(items, itemSpot(spot));
  return unknownSchema(
    node['x-kubernetes-preserve-unknown-fields'] === true ? 'preserve-unknown' : 'untyped',
  );
}

/** Keys serve only where each of them is a property that every item can have. */
function mapKeysOf(node: JsonObject, items: Schema): readonly string[] {
  const keys = [...new Set(textsIn(node['x-kubernetes-list-map-keys']))];
  const properties = asObject(asObject(node['items'])?.['properties']);
  if (properties === undefined || items.shape !== 'ref' || items.nullable) return [];
  return keys.every((key) => Object.hasOwn(properties, key)) ? keys : [];
}
