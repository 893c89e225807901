/** Paths in schemas, from which names are derived so that a name depends on its own path only. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isIdentifier } from '../../common/words.ts';
import type { JsonPath } from '../../input/crd/crd-input.ts';
import { pascal } from '../names/casing.ts';
import { singular } from '../names/singular.ts';
import type { Limit } from './limits.ts';

/** A path in the schema of one kind, from which names, documentation and messages are derived. */
export interface Spot {
  /** Such as `MyApp.spec.ports[]`. Unique in a schema. */
  readonly path: string;
  /** Preferred name of an object type at this path. Depends on `path` only. */
  readonly name: string;
  /** Number of steps that extended `name`, which decides name clashes. */
  readonly depth: number;
  /** Number of enclosing schemas. */
  readonly level: number;
  readonly parent?: Spot;
  /**
   * For a property with a plural name: preferred name of an object type of its items, in the singular. Absent
   * if the object also has a property with that name.
   */
  readonly item?: string;
  /** For items whose name is singular: the name with the property unchanged, which is used after a clash. */
  readonly plural?: string;
  /** Set if a definition is inlined in place of a reference: its full name. */
  readonly inlined?: string;
  /** Steps from the parent's node to this one, as in the CRD. */
  readonly keys: JsonPath;
  /** Constraints on values at this place by the schemas around it. Default: none. */
  readonly limits?: readonly Limit[];
}

/** Names of the properties of an object. */
export interface Siblings {
  has(property: string): boolean;
}

/** Returns whether the node at a spot is a property, so that its description and rules are printed there. */
export function isProperty({ keys: [first] }: Spot): boolean {
  return first === 'properties';
}

/** Returns the root of a kind's schema. */
export function rootSpot(kind: string, typeName: string): Spot {
  return { path: kind, name: typeName, depth: 0, level: 0, keys: [] };
}

/** Returns a property of the object at `parent`. `siblings` contains the names of all its properties. */
export function propertySpot(parent: Spot, property: string, siblings?: Siblings): Spot {
  const path = parent.path + (isIdentifier(property) ? `.${property}` : `[${JSON.stringify(property)}]`);
  const name = parent.name + (pascal(property) || pathSuffix(path));
  const spot = below(parent, path, name, 1, ['properties', property]);
  const one = singular(property);
  if (one === property || siblings?.has(one) === true) return spot;
  return { ...spot, item: parent.name + pascal(one) };
}

/** Returns the items of the list at `parent`. */
export function itemSpot(parent: Spot): Spot {
  const spot = below(parent, `${parent.path}[]`, parent.item ?? parent.name, 0, ['items']);
  return parent.item === undefined ? spot : { ...spot, plural: parent.name };
}

/** Returns the values of the map at `parent`. */
export function valueSpot(parent: Spot): Spot {
  return below(parent, `${parent.path}{}`, parent.name, 0, ['additionalProperties']);
}

/** Returns the values of additional keys of an object with properties. */
export function restSpot(parent: Spot): Spot {
  return below(parent, `${parent.path}{}`, `${parent.name}Value`, 1, ['additionalProperties']);
}

/** Returns the member at `index` of `anyOf` or `oneOf`. Its name does not depend on the other members. */
export function optionSpot(parent: Spot, keyword: string, index: number): Spot {
  const place = index + 1;
  return below(parent, `${parent.path}|${place}`, `${parent.name}Option${place}`, 1, [keyword, index]);
}

/** Returns the steps from the root of the kind's schema to the node at `spot`. */
export function keysTo(spot: Spot): JsonPath {
  const parts: JsonPath[] = [];
  for (let at: Spot | undefined = spot; at !== undefined; at = at.parent) parts.push(at.keys);
  return parts.reverse().flat();
}

/** Returns `_` and hexadecimal digits that depend on the path only, to make a name unique. */
export function pathSuffix(path: string, digits = 6): string {
  return `_${bytesToHex(sha256(utf8ToBytes(path))).slice(0, digits)}`;
}

/** Returns a place with constraints. */
export function limited(spot: Spot, limits: readonly Limit[]): Spot {
  return limits.length === 0 ? spot : { ...spot, limits };
}

/**
 * Returns the place below `to` that corresponds to `spot` below `from`: `Foo.b.x` for `Foo.a.x`. The name of
 * `spot` must begin with that of `from`.
 */
export function moved(spot: Spot, from: Spot, to: Spot): Spot {
  const name = (of: string): string => to.name + of.slice(from.name.length);
  return {
    path: to.path + spot.path.slice(from.path.length),
    name: name(spot.name),
    depth: to.depth + spot.depth - from.depth,
    level: to.level + spot.level - from.level,
    keys: spot.keys,
    ...(spot.plural !== undefined && { plural: name(spot.plural) }),
  };
}

function below(parent: Spot, path: string, name: string, steps: number, keys: JsonPath): Spot {
  return { path, name, depth: parent.depth + steps, level: parent.level + 1, parent, keys };
}
