/** Access to schemas as JSON of unknown form. */
import { byText } from '../../common/words.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isObject, listOf } from '../../input/json.ts';

/** Returns the value if it is an object. */
export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Returns whether a value is absent. `null` counts as absent in a schema, as in the server. */
export function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** Returns the objects of a list, in order. */
export function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return value === undefined ? noObjects : listOf(value).filter(isObject);
}

const noObjects: readonly JsonObject[] = [];
const noTexts: readonly string[] = [];

/** Returns the strings of a list, in order. */
export function textsIn(value: JsonValue | undefined): readonly string[] {
  return value === undefined ? noTexts : listOf(value).filter((item) => typeof item === 'string');
}

/**
 * Returns compact JSON with sorted keys, of about `limit` characters. Truncated JSON ends with `…`.
 * Numbers that JSON cannot represent are printed by name, integers beyond 2^53 with all known digits.
 * Shared nodes are printed several times, so the limit also bounds the work.
 */
export function jsonText(value: unknown, options: JsonTextOptions = {}): string {
  const writer = new JsonWriter(options.limit ?? maxJsonText);
  writer.write(value, 0);
  return writer.text;
}

/** Options of `jsonText`. */
export interface JsonTextOptions {
  /** Maximum length in UTF-16 units. Default: `maxJsonText`. */
  readonly limit?: number;
}

/** Maximum length of JSON in documentation, in UTF-16 units. */
export const maxJsonText = 4_000;

const maxJsonDepth = 100;

class JsonWriter {
  readonly #limit: number;
  #text = '';
  #full = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get text(): string {
    return this.#text;
  }

  write(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#put(JSON.stringify(value));
    else if (typeof value === 'number') this.#put(numberText(value));
    else if (typeof value !== 'object' || value === null) this.#put(String(value));
    else if (depth >= maxJsonDepth) this.#put('…');
    else if (Array.isArray(value)) this.#list(value, depth);
    else this.#object(this.#entries(value), depth);
  }

  #put(text: string): void {
    if (this.#full) return;
    const room = this.#limit - this.#text.length;
    this.#full = text.length > room;
    this.#text += this.#full ? `${text.slice(0, room)}…` : text;
  }

  #entries(value: object): readonly (readonly [string, unknown])[] {
    return Object.entries(value).sort(([a], [b]) => byText(a, b));
  }

  #list(items: readonly unknown[], depth: number): void {
    this.#put('[');
    for (const [index, item] of items.entries()) {
      if (this.#full) return;
      if (index > 0) this.#put(',');
      this.write(item, depth + 1);
    }
    this.#put(']');
  }

  #object(entries: readonly (readonly [string, unknown])[], depth: number): void {
    this.#put('{');
    for (const [index, [key, item]] of entries.entries()) {
      if (this.#full) return;
      this.#put(`${index > 0 ? ',' : ''}${JSON.stringify(key)}:`);
      this.write(item, depth + 1);
    }
    this.#put('}');
  }
}

function numberText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? BigInt(value).toString() : String(value);
}
