/** Places in the schema of a definition, and what API servers object to at them. */
import { isArray, isObject, type Json, type JsonObject } from '../values/json.ts';
import { own } from './members.ts';

/** Path from the root of a definition to one of its nodes: keys and indices of lists. */
export type JsonPath = readonly (string | number)[];

/** Kinds of objections, as API servers class them. */
export type ObjectionReason = 'required' | 'invalid' | 'forbidden' | 'unsupported';

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

/** Returns the schema at a keyword as a place. */
export function placeAt(place: Place, key: string): readonly Place[] {
  const schema = objectAt(place.schema, key);
  return schema === undefined ? [] : [{ schema, keys: [...place.keys, key] }];
}

/** Returns the schemas of an object of schemas as places. */
export function placesIn(
  { schema, keys }: Place,
  key: string,
): readonly (Place & { readonly name: string })[] {
  return Object.entries(objectAt(schema, key) ?? {}).flatMap(([name, child]) =>
    isObject(child) ? [{ schema: child, keys: [...keys, key, name], name }] : [],
  );
}

/** Returns the schemas of a list of schemas as places. */
export function membersAt({ schema, keys }: Place, key: string): readonly Place[] {
  return listAt(schema, key).flatMap((child, index) =>
    isObject(child) ? [{ schema: child, keys: [...keys, key, index] }] : [],
  );
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
