/** Valid values of a schema. */
import type { Random } from '../support/random.ts';
import { type Definitions, type Json, type JsonObject, kindKey, listOf, objectOf } from './definitions.ts';
import { propertiesOf, requiredOf, resolve, roleOf, shapeOf } from './shapes.ts';

/** Selection of optional properties of a value. */
export interface Extent {
  /** Returns true if an optional property is included. */
  readonly takes: (property: string) => boolean;
  /** Levels of objects with optional properties; below them only required ones are included. */
  readonly depth: number;
}

/** Names of the properties that identify an object. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Required properties, and those that identify an object. */
export const basic: Extent = { takes: (name) => identity.has(name), depth: 1 };

/** Required properties only. */
export const least: Extent = { takes: () => false, depth: 0 };

/** Includes every property, down to a depth. */
export function most(depth: number): Extent {
  return { takes: () => true, depth };
}

/** Includes the identifying properties and about half of the others, down to a depth. */
export function some(random: Random, depth: number): Extent {
  return { takes: (name) => identity.has(name) || random.chance(0.5), depth };
}

/** Items of a list come from the server, so all of their metadata is present. */
const complete: Extent = most(3);

/** Creates values of the schemas of some documents. */
export class Sampler {
  readonly #definitions: Definitions;
  readonly #random: Random;

  constructor(definitions: Definitions, random: Random) {
    this.#definitions = definitions;
    this.#random = random;
  }

  /**
   * Returns a value that both sides should accept: a string if several types are allowed, an empty object if
   * the type is unspecified. All other allowed values are compared separately.
   */
  sample(node: JsonObject, extent: Extent): Json {
    const { schema } = resolve(node, this.#definitions);
    const shape = shapeOf(schema);
    switch (shape.is) {
      case 'string':
        return this.#text(shape.literals);
      case 'integer':
        return this.#random.int(100);
      case 'number':
        return this.#random.int(100) / 4;
      case 'boolean':
        return this.#random.chance(0.5);
      case 'list':
        return extent.depth > 0 ? [this.sample(shape.values, extent)] : [];
      case 'map':
        return extent.depth > 0 ? { [this.#text([])]: this.sample(shape.values, extent) } : {};
      case 'object':
        return this.object(shape.schema, extent);
      case 'either':
        return this.#text([]);
      default:
        return {};
    }
  }

  /** Returns a valid value of a schema with properties. */
  object(schema: JsonObject, { takes, depth }: Extent): JsonObject {
    const required = requiredOf(schema);
    const taken = propertiesOf(schema).filter(([name]) => required.has(name) || (depth > 0 && takes(name)));
    const isList = roleOf(schema, this.#definitions).is === 'list';
    const below = { takes, depth: depth - 1 };
    return this.identified(
      schema,
      Object.fromEntries(
        taken.map(([name, node]) => [
          name,
          this.sample(node, isList && name === 'items' && depth > 1 ? complete : below),
        ]),
      ),
    );
  }

  /** Sets the names of the kind, and removes the namespace of cluster-scoped objects. */
  identified(schema: JsonObject, value: JsonObject): JsonObject {
    const { is, apiVersion, kind } = roleOf(schema, this.#definitions);
    const names = { apiVersion, kind };
    const entries = Object.entries(value).map(([name, given]) => {
      if (name === 'apiVersion' || name === 'kind') return [name, names[name] ?? given];
      if (name !== 'metadata' || is !== 'kind' || !this.isOfCluster(schema)) return [name, given];
      const { namespace: _namespace, ...metadata } = objectOf(given);
      return [name, metadata];
    });
    return Object.fromEntries(entries);
  }

  /** Returns true if the schema is of a cluster-scoped kind. */
  isOfCluster(schema: JsonObject): boolean {
    const kinds = listOf(schema['x-kubernetes-group-version-kind']).map(objectOf);
    return kinds.length === 1 && kinds.every((kind) => this.#definitions.clusterKinds.has(kindKey(kind)));
  }

  #text([first, ...others]: readonly string[]): string {
    return this.#random.pick(first === undefined ? ['one', 'two', 'three'] : [first, ...others]);
  }
}
