/**
 * JSON patches on values in memory.
 * @see https://www.rfc-editor.org/rfc/rfc6902
 */
import { isOwn, OwnError } from '../errors.ts';
import { copyDigits, exactClone } from '../integers/records.ts';
import type { JsonPatchOperation } from '../types.ts';
import { isEqualMember } from './json.ts';
import { added, type Child, childOf, parsePointer, removed, replaced } from './pointer.ts';

/** An operation of a JSON patch could not be done. Nothing was changed. */
export class JsonPatchError extends OwnError {
  /** Which operation, from 0. */
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

/** Whether an operation of a JSON patch could not be done. */
export function isJsonPatchError(error: unknown): error is JsonPatchError {
  return isOwn(error, 'JsonPatchError');
}

/**
 * Does the operations one after the other, on a copy: what is given is never changed. Keys such as `__proto__` and
 * `constructor` are keys like others; what an object inherits does not exist.
 * @throws {JsonPatchError} an operation that cannot be done, a `test` that fails: then none is done; `error.index` says
 *   which
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
  // What a patch makes of a T is what its author says that it is.
  return value as T;
}

/** May change `value`, which is a copy. Throws a RangeError for what cannot be done. */
function applied(value: unknown, operation: JsonPatchOperation): unknown {
  const path = parsePointer(operation.path);
  switch (operation.op) {
    case 'add':
      return added(value, path, wantedValue(operation));
    case 'remove':
      return removed(value, path);
    case 'replace':
      return replaced(value, path, wantedValue(operation));
    case 'move':
      return moved(value, parsePointer(operation.from), path);
    case 'copy':
      return added(value, path, exactClone(childOf(value, parsePointer(operation.from))));
    case 'test':
      if (isEqualMember(childOf(value, path), 'value', wantedValue(operation))) return value;
      throw new RangeError('the value is another');
    default:
      throw new RangeError('there is no such operation');
  }
}

function wantedValue(operation: { readonly value: unknown }): Child {
  if (operation.value === undefined) throw new RangeError('it has no value');
  const wanted = { value: operation.value };
  copyDigits(operation, 'value', wanted, 'value');
  return exactClone(wanted);
}

function moved(value: unknown, from: readonly string[], path: readonly string[]): unknown {
  const inside = from.length < path.length && from.every((token, index) => token === path[index]);
  if (inside) throw new RangeError('nothing can be moved into itself');
  const child = childOf(value, from);
  return from.length === path.length && from.every((token, index) => token === path[index])
    ? value
    : added(removed(value, from), path, child);
}
