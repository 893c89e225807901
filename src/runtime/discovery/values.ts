/** Reads of values that may be anything. */
import { isPlain } from './names.ts';

/** An object of JSON. Its keys are the server's, so it is only ever read by the names of known fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Undefined for what is no object. */
export function fieldsOf(value: unknown): Fields | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  // A plain object of JSON can be seen as a record of unknowns.
  return isObject ? (value as Fields) : undefined;
}

/** An own field of what may be no object. */
export function fieldOf(value: unknown, name: string): unknown {
  const fields = fieldsOf(value);
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** A text; `''` where there is none, as Go writes an absent one. */
export function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  return typeof text === 'string' ? text : '';
}

/** The items of a list; none where there is no list. */
export function itemsOf(value: unknown, name: string): readonly unknown[] {
  const list: unknown = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

/** The plain names of a list, each once. */
export function namesOf(value: unknown, name: string): readonly string[] {
  const isName = (item: unknown): item is string => typeof item === 'string' && isPlain(item);
  return [...new Set(itemsOf(value, name).filter(isName))];
}
