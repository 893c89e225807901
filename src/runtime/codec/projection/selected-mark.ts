/** Mark of objects that contain only selected fields of others. */
import { isFields } from '../../common/fields.ts';

/**
 * Key of the mark in the metadata of an object; its value is the selection. It is enumerable, so that a
 * spread copies it; `JSON.stringify` and `Object.keys` ignore it. Equal in every copy of this package.
 */
export const selectedKey: unique symbol = Symbol.for('@kgen/runtime/selected');

/** Returns the selection of an object; `undefined` for a whole object. */
export function selectionIn(object: unknown): unknown {
  const metadata = isFields(object) ? object['metadata'] : undefined;
  return isFields(metadata) ? Reflect.get(metadata, selectedKey) : undefined;
}

/** Returns whether a selection includes the field at a path with all that it contains. */
export function includesField(selection: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (selection === true) return true;
  if (name === undefined || !isFields(selection)) return false;
  return includesField(Object.hasOwn(selection, name) ? selection[name] : selection['*'], rest);
}

/**
 * Checks that an object has a field if the whole object has it.
 * @throws {TypeError} if the object contains only selected fields, without this one
 */
export function requireField(object: object, ...path: readonly string[]): void {
  const selection = selectionIn(object);
  if (selection === undefined || includesField(selection, path)) return;
  throw new TypeError(`${path.join('.')} is not in the selection of the informer: add it to select`);
}
