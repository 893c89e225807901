/** Valid and invalid values at a place of a schema. */
import type { Definitions, Json, JsonObject } from './definitions.ts';
import type { Fault, Found, Valid } from './probe.ts';
import { least, most, type Sampler } from './sampler.ts';
import { type Resolved, resolve, roleOf, type Shape, shapeOf } from './shapes.ts';

const word = 'text';

/** Reads the schemas of some documents, place by place. */
export class Places {
  readonly #definitions: Definitions;
  readonly #sampler: Sampler;

  constructor(definitions: Definitions, sampler: Sampler) {
    this.#definitions = definitions;
    this.#sampler = sampler;
  }

  /** Returns all values to compare at a place; `path` leads to it. */
  at(path: string, { name: target, schema }: Resolved): readonly Found[] {
    const shape = shapeOf(schema);
    const found = [...this.#valid(shape, schema), ...this.#faults(shape, schema)];
    return [...found.map((each) => ({ path, target, ...each })), ...this.#below(path, shape)];
  }

  #valid(shape: Shape, schema: JsonObject): readonly CheckedPlace[] {
    switch (shape.is) {
      case 'any':
        return [
          valid('string', word),
          valid('number', 1),
          valid('boolean', true),
          valid('list', []),
          valid('object', {}),
        ];
      case 'either':
        return shape.schemas.map(({ type }) =>
          type === 'string' ? valid('string', word) : valid('number', 1),
        );
      case 'free':
        return [valid('value', {}), valid('entries', { a: 1 })];
      case 'list':
        return [valid('value', [])];
      case 'map':
        return [valid('value', {})];
      case 'object':
        return [valid('value', this.#object(schema))];
      default:
        return [valid('value', this.#sampler.sample(schema, least)), ...wordsOf(shape)];
    }
  }

  #faults(shape: Shape, schema: JsonObject): readonly CheckedPlace[] {
    switch (shape.is) {
      case 'any':
        return [];
      case 'either':
        return [fault('wrong type', true), isNull];
      case 'string':
        return [
          ...(shape.literals.length > 0 ? [fault('other literal', 'NotAWord')] : []),
          fault('wrong type', 1),
          isNull,
        ];
      case 'integer':
        return [fault('fraction', 1.5), fault('wrong type', word), isNull];
      case 'list':
        return [fault('wrong type', word), fault('wrong shape', {}), isNull];
      case 'free':
      case 'map':
        return [fault('wrong type', word), fault('wrong shape', []), isNull];
      case 'object': {
        const unknown = { ...this.#object(schema), thisIsNoProperty: 1 };
        return [
          fault('unknown property', unknown),
          fault('wrong type', word),
          fault('wrong shape', []),
          isNull,
        ];
      }
      default:
        return [fault('wrong type', word), isNull];
    }
  }

  /** Returns an object. The metadata of a kind is complete, because lists require it of their items. */
  #object(schema: JsonObject): JsonObject {
    return this.#sampler.object(schema, most(roleOf(schema, this.#definitions).is === 'kind' ? 2 : 1));
  }

  /** Returns the values to compare in a list or a map. */
  #below(path: string, shape: Shape): readonly Found[] {
    if (shape.is !== 'list' && shape.is !== 'map') return [];
    const isList = shape.is === 'list';
    const below = this.at(`${path}${isList ? '[]' : '{}'}`, resolve(shape.values, this.#definitions));
    return below.map((found) => {
      if (found.given === 'literals') return found;
      return { ...found, value: isList ? [found.value] : { key: found.value } };
    });
  }
}

type CheckedPlace = Pick<Found, 'given' | 'isValid' | 'value'>;

function valid(given: Valid, value: Json): CheckedPlace {
  return { given, isValid: true, value };
}

function fault(given: Fault, value: Json): CheckedPlace {
  return { given, isValid: false, value };
}

const isNull: CheckedPlace = fault('null', null);

function wordsOf(shape: Shape): readonly CheckedPlace[] {
  if (shape.is !== 'string' || shape.literals.length === 0) return [];
  return [valid('literals', Object.fromEntries(shape.literals.map((text) => [text, 1])))];
}
