/** Values that a schema takes. */
import type { Random } from '../fuzz/random.ts';
import { type Definitions, type Json, type JsonObject, kindKey, listOf, objectOf } from './document.ts';
import { propertiesOf, requiredOf, resolve, roleOf, shapeOf } from './shapes.ts';

/** How much of what a schema offers is in a value. */
export interface Extent {
  /** Whether an optional property is there. */
  readonly takes: (property: string) => boolean;
  /** Levels of objects that have optional properties; below them there are only required ones. */
  readonly depth: number;
}

/** Names of the properties that say what an object is. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Required properties, and those that say what an object is. */
export const basic: Extent = { takes: (name) => identity.has(name), depth: 1 };

/** Required properties only. */
export const least: Extent = { takes: () => false, depth: 0 };

/** Every property, down to a depth. */
export function most(depth: number): Extent {
  return { takes: () => true, depth };
}

/** What says what an object is, and every other property or so, down to a depth. */
export function some(random: Random, depth: number): Extent {
  return { takes: (name) => identity.has(name) || random.chance(0.5), depth };
}

/** What a list holds was read, so that all of its metadata is there. */
const complete: Extent = most(3);

/** Makes values of the schemas of some documents. */
export class Sampler {
  readonly #definitions: Definitions;
  readonly #random: Random;

  constructor(definitions: Definitions, random: Random) {
    this.#definitions = definitions;
    this.#random = random;
  }

  /**
   * A value that both sides should take: where several types are possible it is text, of what nothing is said it is
   * an empty object. Everything else that is possible is asked for one by one.
   */
  sample(node: JsonObject, extent: Extent): Json {
    const { schema } = resolve(node, this.#definitions);
    const shape = shapeOf(schema);
    switch (shape.is) {
      case 'string':
        return this.#text(shape.words);
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

  /** The same for a schema with properties. */
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

  /** Objects carry the names of their kind, and those that are in no namespace do not name one. */
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

  /** Whether the schema is of a kind that lives outside of namespaces. */
  isOfCluster(schema: JsonObject): boolean {
    const kinds = listOf(schema['x-kubernetes-group-version-kind']).map(objectOf);
    return kinds.length === 1 && kinds.every((kind) => this.#definitions.clusterKinds.has(kindKey(kind)));
  }

  #text([first, ...others]: readonly string[]): string {
    return this.#random.pick(first === undefined ? ['one', 'two', 'three'] : [first, ...others]);
  }
}
