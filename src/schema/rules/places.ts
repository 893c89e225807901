/** Places in the schema of a definition, and what API servers object to at them. */
import { isArray, isObject, type Json, type JsonObject } from '../values/json.ts';
import { own } from './members.ts';

/** Path from the root of a definition to one of its nodes: keys and indices of lists. */
export type JsonPath = readonly (string | number)[];

/** Kinds of objections, as API servers class them. */
export type ObjectionReason = 'required' | 'invalid' | 'forbidden' | 'unsupported' | 'internal';

/** A rule of API servers that a schema violates. */
export interface Objection {
  /** Steps from the root of the schema to the keyword. */
  readonly keys: JsonPath;
  readonly reason: ObjectionReason;
  /** The value of the keyword, if it is `invalid` or `unsupported`. */
  readonly value?: Json;
  /** The supported values, if the value is `unsupported`. */
  readonly supported?: readonly string[];
  /** The rule in the words of API servers. */
  readonly detail: string;
  /** Another place in the schema, which ends the detail. */
  readonly place?: JsonPath;
  /** Steps to the key of a list of type map that is not a property, or has no value, and its name. */
  readonly mapKey?: { readonly keys: JsonPath; readonly name: string };
}

/** A schema with the steps that lead to it. */
export interface Place {
  readonly schema: JsonObject;
  readonly keys: JsonPath;
}

/** Returns the objection to a keyword that must have a value. */
export function missing({ keys }: Place, key: string, detail: string): Objection {
  return { keys: [...keys, key], reason: 'required', detail };
}

/** Returns the objection to a keyword that must not be set. */
export function forbidden({ keys }: Place, key: string, detail: string): Objection {
  return { keys: [...keys, key], reason: 'forbidden', detail };
}

/** Returns the objection to the value of a keyword. */
export function invalid({ keys, schema }: Place, key: string, detail: string): Objection {
  return { keys: [...keys, key], reason: 'invalid', value: own(schema, key) ?? null, detail };
}

/** Returns the objection to a value that is not in a list. */
export function unsupported({ keys, schema }: Place, key: string, supported: readonly string[]): Objection {
  return {
    keys: [...keys, key],
    reason: 'unsupported',
    value: own(schema, key) ?? null,
    supported,
    detail: '',
  };
}

/** Returns the string at a keyword; empty if there is none. */
export function textAt(schema: JsonObject | undefined, key: string): string {
  const value = schema === undefined ? undefined : own(schema, key);
  return typeof value === 'string' ? value : '';
}

/** Returns the object at a keyword. */
export function objectAt(schema: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = schema === undefined ? undefined : own(schema, key);
  return isObject(value) ? value : undefined;
}

/** Returns the list at a keyword; empty if there is none. */
export function listAt(schema: JsonObject | undefined, key: string): readonly Json[] {
  const value = schema === undefined ? undefined : own(schema, key);
  return isArray(value) ? value : [];
}

/** Returns whether a flag is set. */
export function isSet(schema: JsonObject | undefined, key: string): boolean {
  return schema !== undefined && own(schema, key) === true;
}

/** A schema below another one. Its steps are combined when they are read, for an objection. */
class Child implements Place {
  readonly schema: JsonObject;
  /** Name of a property; empty for a schema that has none. */
  readonly name: string;
  readonly #parent: Place;
  readonly #steps: JsonPath;

  constructor(parent: Place, schema: JsonObject, steps: JsonPath, name = '') {
    this.schema = schema;
    this.name = name;
    this.#parent = parent;
    this.#steps = steps;
  }

  get keys(): JsonPath {
    return [...this.#parent.keys, ...this.#steps];
  }
}

/** Returns the schema at a keyword as a place. */
export function placeAt(place: Place, key: string): readonly Place[] {
  const schema = objectAt(place.schema, key);
  return schema === undefined ? [] : [new Child(place, schema, [key])];
}

/** Returns the schemas of an object of schemas as places. */
export function placesIn(place: Place, key: string): readonly (Place & { readonly name: string })[] {
  const children = objectAt(place.schema, key);
  if (children === undefined) return [];
  const places: Child[] = [];
  for (const name of Object.keys(children)) {
    const schema = children[name];
    if (isObject(schema)) places.push(new Child(place, schema, [key, name], name));
  }
  return places;
}

/** Returns the schemas of a list of schemas as places. */
export function membersAt(place: Place, key: string): readonly Place[] {
  return listAt(place.schema, key).flatMap((schema, index) =>
    isObject(schema) ? [new Child(place, schema, [key, index])] : [],
  );
}

/** Keywords that no rule concerns in the schema of a scalar. */
const harmless: ReadonlySet<string> = new Set([
  ...['description', 'title', 'example', 'externalDocs', 'format', 'enum', 'nullable'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
]);

const scalars: ReadonlySet<unknown> = new Set(['boolean', 'integer', 'number', 'string']);

/** Returns whether no rule concerns a schema, as most of them: that of a scalar without further keywords. */
export function isPlain(schema: JsonObject): boolean {
  if (!scalars.has(schema['type'])) return false;
  return Object.keys(schema).every((key) => key === 'type' || harmless.has(key));
}

const named: ReadonlySet<string | number> = new Set([
  'properties',
  'definitions',
  'dependencies',
  'patternProperties',
]);

/** Returns steps in the notation of API servers: `.properties[spec].allOf[0].type`. */
export function pathText(keys: JsonPath): string {
  return keys
    .map((key, index) => {
      const isName = index > 0 && named.has(keys[index - 1] ?? '') && !isNameAt(keys, index - 1);
      return typeof key === 'number' || isName ? `[${key}]` : `.${key}`;
    })
    .join('');
}

/** A property may have the name of a keyword. */
function isNameAt(keys: JsonPath, index: number): boolean {
  return index > 0 && named.has(keys[index - 1] ?? '') && !isNameAt(keys, index - 1);
}
