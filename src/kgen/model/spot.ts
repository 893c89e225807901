import { createHash } from 'node:crypto';
import type { JsonPath } from '../input/crd-input.ts';
import { isIdentifier } from '../words.ts';
import { pascal } from './words.ts';

/** A place in the schema of one kind: what names, documentation and messages are made from. */
export interface Spot {
  /** Such as `MyApp.spec.ports[]`; two places of a schema never share it. */
  readonly path: string;
  /** Name that an object type here would like to have. Depends on `path` alone. */
  readonly name: string;
  /** Steps that added to `name`: what "shallow" and "deep" mean when names clash. */
  readonly depth: number;
  /** Schemas around this one. */
  readonly level: number;
  readonly parent?: Spot;
  /** Set where a definition is written out in the place of a reference to it: its full name. */
  readonly inlined?: string;
  /** Steps from the parent's node to this one, as in the CRD. */
  readonly keys: JsonPath;
}

/** The root of a kind's schema. */
export function rootSpot(kind: string, typeName: string): Spot {
  return { path: kind, name: typeName, depth: 0, level: 0, keys: [] };
}

/** A property of the object at `parent`. */
export function propertySpot(parent: Spot, property: string): Spot {
  const path = parent.path + (isIdentifier(property) ? `.${property}` : `[${JSON.stringify(property)}]`);
  const name = parent.name + (pascal(property) || pathSuffix(path));
  return below(parent, path, name, 1, ['properties', property]);
}

/** The items of the list at `parent`. */
export function itemSpot(parent: Spot): Spot {
  return below(parent, `${parent.path}[]`, parent.name, 0, ['items']);
}

/** The values of the map at `parent`. */
export function valueSpot(parent: Spot): Spot {
  return below(parent, `${parent.path}{}`, parent.name, 0, ['additionalProperties']);
}

/** The values of the keys that an object with properties allows besides them. */
export function restSpot(parent: Spot): Spot {
  return below(parent, `${parent.path}{}`, `${parent.name}Value`, 1, ['additionalProperties']);
}

/** The member at `index` of `anyOf` or `oneOf`. What the other members are does not change its name. */
export function optionSpot(parent: Spot, keyword: string, index: number): Spot {
  const place = index + 1;
  return below(parent, `${parent.path}|${place}`, `${parent.name}Option${place}`, 1, [keyword, index]);
}

/** Steps from the root of the kind's schema to the node at `spot`. */
export function keysTo(spot: Spot): JsonPath {
  const parts: JsonPath[] = [];
  for (let at: Spot | undefined = spot; at !== undefined; at = at.parent) parts.push(at.keys);
  return parts.reverse().flat();
}

/** `_` and hexadecimal digits that depend on the path alone: makes a name its own. */
export function pathSuffix(path: string, digits = 6): string {
  return `_${createHash('sha256').update(path).digest('hex').slice(0, digits)}`;
}

function below(parent: Spot, path: string, name: string, steps: number, keys: JsonPath): Spot {
  return { path, name, depth: parent.depth + steps, level: parent.level + 1, parent, keys };
}
