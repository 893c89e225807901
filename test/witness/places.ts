/** Valid and invalid values at a place of a schema. */
import type { Definitions, Json, JsonObject } from './document.ts';
import type { Fault, Found, Sound } from './probe.ts';
import { least, most, type Sampler } from './sample.ts';
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
    const found = [...this.#sound(shape, schema), ...this.#faults(shape, schema)];
    return [...found.map((each) => ({ path, target, ...each })), ...this.#below(path, shape)];
  }

  #sound(shape: Shape, schema: JsonObject): readonly Asked[] {
    switch (shape.is) {
      case 'any':
        return [
          sound('string', word),
          sound('number', 1),
          sound('boolean', true),
          sound('list', []),
          sound('object', {}),
        ];
      case 'either':
        return shape.schemas.map(({ type }) =>
          type === 'string' ? sound('string', word) : sound('number', 1),
        );
      case 'free':
        return [sound('value', {}), sound('entries', { a: 1 })];
      case 'list':
        return [sound('value', [])];
      case 'map':
        return [sound('value', {})];
      case 'object':
        return [sound('value', this.#object(schema))];
      default:
        return [sound('value', this.#sampler.sample(schema, least)), ...wordsOf(shape)];
    }
  }

  #faults(shape: Shape, schema: JsonObject): readonly Asked[] {
    switch (shape.is) {
      case 'any':
        return [];
      case 'either':
        return [fault('wrong type', true), isNull];
      case 'string':
        return [
          ...(shape.words.length > 0 ? [fault('other literal', 'NotAWord')] : []),
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
      if (found.given === 'words') return found;
      return { ...found, value: isList ? [found.value] : { key: found.value } };
    });
  }
}

type Asked = Pick<Found, 'given' | 'isSound' | 'value'>;

function sound(given: Sound, value: Json): Asked {
  return { given, isSound: true, value };
}

function fault(given: Fault, value: Json): Asked {
  return { given, isSound: false, value };
}

const isNull: Asked = fault('null', null);

function wordsOf(shape: Shape): readonly Asked[] {
  if (shape.is !== 'string' || shape.words.length === 0) return [];
  return [sound('words', Object.fromEntries(shape.words.map((text) => [text, 1])))];
}
