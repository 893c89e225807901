/**
 * Application of JSON patches to values in memory.
 * @see https://www.rfc-editor.org/rfc/rfc6902
 */

import { isOwn, OwnError } from '../api/errors.ts';
import type { JsonPatchOperation } from '../api/types.ts';
import { copyDigits, exactClone } from '../codec/integers/records.ts';
import { isEqualMember } from './json.ts';
import { added, type Child, childOf, parsePointer, removed, replaced } from './pointer.ts';

/** An operation of a JSON patch failed. Nothing was changed. */
export class JsonPatchError extends OwnError {
  /** Index of the failed operation, starting at 0. */
  readonly index: number;
  readonly operation: JsonPatchOperation;

  constructor(message: string, index: number, operation: JsonPatchOperation) {
    super(`JSON patch, operation ${index}: ${operation.op} ${JSON.stringify(operation.path)}: ${message}`);
    this.index = index;
    this.operation = operation;
  }

  override get name(): 'JsonPatchError' {
    return 'JsonPatchError';
  }
}

/** Returns whether an error is a `JsonPatchError`: an operation of a JSON patch failed. */
export function isJsonPatchError(error: unknown): error is JsonPatchError {
  return isOwn(error, 'JsonPatchError');
}

/**
 * Applies the operations in order to a copy; the argument is not modified. Keys such as `__proto__` and
 * `constructor` are ordinary keys, and inherited members do not exist.
 * @throws {JsonPatchError} an operation or a `test` failed: then none is applied; `error.index` is its index
 */
export function applyJsonPatch<T>(object: T, operations: readonly JsonPatchOperation[]): T {
  let value: unknown = exactClone(object);
  for (const [index, operation] of operations.entries()) {
    try {
      value = applied(value, operation);
    } catch (error) {
      if (error instanceof RangeError) throw new JsonPatchError(error.message, index, operation);
      throw error;
    }
  }
  // The author of the patch decides on the type of its result.
  return value as T;
}

/** May modify `value`, which is a copy. Throws a RangeError for an operation that fails. */
function applied(value: unknown, operation: JsonPatchOperation): unknown {
  const path = parsePointer(operation.path);
  switch (operation.op) {
    case 'add':
      return added(value, path, newValue(operation));
    case 'remove':
      return removed(value, path);
    case 'replace':
      return replaced(value, path, newValue(operation));
    case 'move':
      return moved(value, parsePointer(operation.from), path);
    case 'copy':
      return added(value, path, exactClone(childOf(value, parsePointer(operation.from))));
    case 'test':
      if (isEqualMember(childOf(value, path), 'value', newValue(operation))) return value;
      throw new RangeError('the value differs');
    default:
      throw new RangeError('unknown operation');
  }
}

function newValue(operation: { readonly value: unknown }): Child {
  if (operation.value === undefined) throw new RangeError('it has no value');
  const desired = { value: operation.value };
  copyDigits(operation, 'value', desired, 'value');
  return exactClone(desired);
}

function moved(value: unknown, from: readonly string[], path: readonly string[]): unknown {
  const inside = from.length < path.length && from.every((token, index) => token === path[index]);
  if (inside) throw new RangeError('a value cannot be moved into itself');
  const child = childOf(value, from);
  return from.length === path.length && from.every((token, index) => token === path[index])
    ? value
    : added(removed(value, from), path, child);
}
