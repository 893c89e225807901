/** Reads of values that may be anything. */
import { isFields, member } from '../fields.ts';
import { isPlain } from './names.ts';

/** An own field of what may be no object. */
export function fieldOf(value: unknown, name: string): unknown {
  return isFields(value) ? member(value, name) : undefined;
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
