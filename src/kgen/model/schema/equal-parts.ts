/** Equal parts of schemas as one object: types of pods and references occur many times in definitions. */
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isList } from '../../input/json.ts';
import { suffixed } from '../names/assign-names.ts';

/** A copy of a schema. */
export interface CopiedSchema {
  readonly copy: JsonObject;
  /** Number of values in it. */
  readonly values: number;
  /** Levels of values below it. */
  readonly height: number;
}

/** Creates objects of JSON, and returns the same one for equal entries. */
export class EqualParts {
  /** Copies by the schema that was copied, which may occur many times. */
  readonly copies: Map<JsonObject, CopiedSchema> = new Map();
  readonly #objects = new Map<string, JsonObject>();
  readonly #numbers = new Map<JsonValue, number>();

  /** Returns an object with these entries. Objects among the values must be results of this method. */
  objectOf(entries: readonly (readonly [key: string, value: JsonValue])[]): JsonObject {
    let text = '';
    for (const [key, value] of entries) text += `${JSON.stringify(key)}:${this.#textOf(value)},`;
    const known = this.#objects.get(text);
    if (known !== undefined) return known;
    const object = Object.fromEntries(entries);
    this.#objects.set(text, object);
    this.#numbers.set(object, this.#numbers.size);
    return object;
  }

  #textOf(value: JsonValue): string {
    if (typeof value === 'string') return JSON.stringify(value);
    if (typeof value === 'bigint') return `${value}n`;
    if (isList(value)) return `[${value.map((item) => this.#textOf(item)).join(',')}]`;
    return typeof value === 'object' ? `#${this.#numbers.get(value)}` : String(value);
  }
}

/** Length of the JSON of a part from which it has a name, in UTF-16 units. */
const minLength = 500;

/**
 * Returns the names of long objects that occur more than once in schemas, each behind those that it contains.
 * A name depends on the content of the part.
 */
export function repeatedParts(schemas: Iterable<JsonObject>): ReadonlyMap<JsonObject, string> {
  const [seen, repeated] = [new Set<JsonValue>(), new Set<JsonValue>()];
  const all: JsonObject[] = [];
  const visit = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) return;
    if (seen.has(value)) return void repeated.add(value);
    seen.add(value);
    for (const part of Object.values(value)) visit(part);
    if (!isList(value)) all.push(value);
  };
  for (const schema of schemas) visit(schema);
  const names = new Map<JsonValue, string>();
  const taken = new Set<string>();
  const named = all.flatMap((part): readonly (readonly [JsonObject, string])[] => {
    if (!repeated.has(part)) return [];
    const text = textOf(part, names);
    if (text.length < minLength) return [];
    const name = suffixed('part', text, (other) => taken.has(other));
    taken.add(name);
    names.set(part, name);
    return [[part, name]];
  });
  return new Map(named);
}

/** Returns JSON with names in place of parts. */
function textOf(value: JsonValue, names: ReadonlyMap<JsonValue, string>): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = (part: JsonValue): string => names.get(part) ?? textOf(part, names);
  if (isList(value)) return `[${value.map(inner).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, part]) => `${JSON.stringify(key)}:${inner(part)}`)
    .join(',')}}`;
}
