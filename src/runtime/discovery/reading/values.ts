/** Reads members of unvalidated values. */
import { isFields, member } from '../../common/fields.ts';
import { isPlain } from './names.ts';

/** Returns an own member of a value that may not be an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return isFields(value) ? member(value, name) : undefined;
}

/** Returns a string member; `''` if it is absent, as encoded by Go. */
export function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  return typeof text === 'string' ? text : '';
}

/** Returns the items of a list member; an empty list if it is absent. */
export function itemsOf(value: unknown, name: string): readonly unknown[] {
  const list: unknown = fieldOf(value, name);
  return Array.isArray(list) ? list : [];
}

/** Returns the plain names of a list member, without duplicates. */
export function namesOf(value: unknown, name: string): readonly string[] {
  const isName = (item: unknown): item is string => typeof item === 'string' && isPlain(item);
  return [...new Set(itemsOf(value, name).filter(isName))];
}
