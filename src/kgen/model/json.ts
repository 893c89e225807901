import type { JsonObject, JsonValue } from '../input/crd-input.ts';
import { isList, isObject } from '../input/json.ts';

/** The value as an object, unless it is anything else. */
export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** True for what is not there; `null` is nothing in a schema, as for the server. */
export function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** The value as a list; everything else is an empty one. */
export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : [];
}

/** The objects of a list, in order; everything else in it is dropped. */
export function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return value === undefined ? noObjects : asList(value).filter(isObject);
}

const noObjects: readonly JsonObject[] = [];
const noTexts: readonly string[] = [];

/** The strings of a list, in order; everything else in it is dropped. */
export function textsIn(value: JsonValue | undefined): readonly string[] {
  return value === undefined ? noTexts : asList(value).filter((item) => typeof item === 'string');
}

/**
 * Compact JSON text of at most about `limit` characters; where more was cut, it ends in `…`. Numbers that
 * JSON has no word for come out as their names, integers beyond 2^53 with every digit that is known. Nodes
 * that occur several times are written several times, so the limit also bounds the work.
 */
export function jsonText(value: unknown, options: JsonTextOptions = {}): string {
  const writer = new JsonWriter(options.limit ?? maxJsonText, options.prose ?? true);
  writer.write(value, 0);
  return writer.text;
}

/** How `jsonText` shortens. */
export interface JsonTextOptions {
  /** In UTF-16 units; `maxJsonText` by default. */
  readonly limit?: number;
  /** False leaves out `description` texts, which would bury the logic of a schema. True by default. */
  readonly prose?: boolean;
}

/** Longest JSON text that documentation carries, in UTF-16 units. */
export const maxJsonText = 4_000;

const maxJsonDepth = 100;

class JsonWriter {
  readonly #limit: number;
  readonly #prose: boolean;
  #text = '';
  #full = false;

  constructor(limit: number, prose: boolean) {
    this.#limit = limit;
    this.#prose = prose;
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
    const entries: [string, unknown][] = Object.entries(value);
    return this.#prose
      ? entries
      : entries.filter(([key, item]) => key !== 'description' || typeof item !== 'string');
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
