/** Changes to objects before they are stored: reduction, transform, freezing. */
import type { ObjectMeta } from '../../api/meta.ts';
import type { Stored, StoredObject, Transformed } from '../../api/types.ts';
import { digitsKey, recordOf } from '../../codec/integers/digits.ts';
import { disown } from '../../common/callbacks.ts';
import type { InformerOptions } from './informer.ts';

/**
 * Preparation of an object between the server and the store. Throws the errors of the transform. A `shared`
 * object is held by others as well, and is copied. `beforeFreeze` is called with the result while it may
 * still be changed.
 */
export type Preparation<T> = (
  object: Stored<T>,
  shared?: boolean,
  beforeFreeze?: (object: Stored<T>) => void,
) => Stored<T>;

/**
 * Returns the preparation according to the options. It removes `managedFields` only from objects whose source
 * has not removed them; `reduce` removes other members that were not requested.
 */
export function preparation<T>(
  options: InformerOptions<T>,
  reduce: (object: Stored<T>) => Stored<T> = (object) => object,
): Preparation<T> {
  const { keepManagedFields = false, transform } = options;
  const freeze = isFrozen(options);
  return (object, shared = false, beforeFreeze = () => undefined) => {
    const reduced = reduce(object);
    const stripped = keepManagedFields ? reduced : withoutManagedFields(reduced);
    // Copied without the members that are not kept.
    const own = shared ? deepCopy(stripped) : stripped;
    const result = transform === undefined ? own : transformed(own, transform);
    beforeFreeze(result);
    if (freeze) freezeDeep(result);
    return result;
  };
}

/** Returns whether the objects of an informer are frozen: by its option, else in tests. */
export function isFrozen({ freeze }: { readonly freeze?: boolean | undefined }): boolean {
  const { NODE_ENV, NODE_TEST_CONTEXT } = process.env;
  return freeze ?? (NODE_ENV === 'test' || NODE_TEST_CONTEXT !== undefined);
}

/** Copies all members, and the digits of integers beyond 2^53. */
function deepCopy<T extends object>(object: T): T {
  const copy = shallowCopy(object);
  const left: object[] = [copy];
  for (let holder = left.pop(); holder !== undefined; holder = left.pop()) {
    for (const key of Object.keys(holder)) {
      const value: unknown = Reflect.get(holder, key);
      // Nobody changes bytes.
      if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
      const member = shallowCopy(value);
      Reflect.set(holder, key, member);
      left.push(member);
    }
  }
  return copy;
}

function shallowCopy<T extends object>(value: T): T;
function shallowCopy(value: object): object {
  // A spread copies the digits.
  if (!Array.isArray(value)) return { ...value };
  const copy: unknown[] = value.slice();
  const digits = recordOf(value);
  if (digits !== undefined) Reflect.set(copy, digitsKey, digits);
  return copy;
}

function transformed<T>(object: Stored<T>, transform: (object: Stored<T>) => Transformed<T>): Stored<T> {
  // Computed before the call, which may change the object.
  const identity = identityOf(object);
  const result = transform(object);
  // seam: the program does not read members that its transform removes
  if (identityOf(result) === identity) return result as Stored<T>;
  disown(result);
  throw new TypeError(
    'transform must return an object with the same name, namespace, uid and resourceVersion',
  );
}

/**
 * Returns a string that identifies an object and its version. Other values, such as promises, have no
 * identity.
 */
function identityOf(object: { readonly metadata?: ObjectMeta }): string {
  const { name, namespace, uid, resourceVersion } = object?.metadata ?? {};
  return [namespace, name, uid, resourceVersion].join('/');
}

function withoutManagedFields<O extends StoredObject>(object: O): O {
  const whole: ObjectMeta = object.metadata;
  if (whole.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = whole;
  // A copy, because an object from which a property was deleted takes more memory. Only an optional field is
  // removed.
  return { ...object, metadata } as O;
}

/** Frozen objects may have members that are not frozen. */
function freezeDeep(object: object): void {
  const seen = new Set<object>();
  const left: unknown[] = [object];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    // Bytes that a transform has added: typed arrays cannot be frozen.
    if (ArrayBuffer.isView(value)) continue;
    seen.add(Object.freeze(value));
    // One by one, because the number of arguments of a call is limited.
    for (const part of Object.values(value)) left.push(part);
  }
}
