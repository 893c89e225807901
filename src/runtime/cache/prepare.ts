import { disown } from '../callbacks.ts';
import type { ObjectMeta } from '../meta.ts';
import type { Stored, StoredObject } from '../types.ts';
import type { InformerOptions } from './informer.ts';

/** What happens to each object between the server and the store. Throws what the transform throws. */
export type Preparation<T> = (object: Stored<T>) => Stored<T>;

/**
 * How the options want objects. `managedFields` are dropped here only from what a source has not dropped by itself;
 * `reduce` takes out what else the server was not asked for.
 */
export function preparation<T>(
  options: InformerOptions<T>,
  reduce: Preparation<T> = (object) => object,
): Preparation<T> {
  const { keepManagedFields = false, freeze = false, transform } = options;
  return (object) => {
    const reduced = reduce(object);
    const lean = keepManagedFields ? reduced : withoutManagedFields(reduced);
    const result = transform === undefined ? lean : transformed(lean, transform);
    if (freeze) freezeDeep(result);
    return result;
  };
}

function transformed<T>(object: Stored<T>, transform: Preparation<T>): Stored<T> {
  // Before the call, as it may change the object.
  const identity = identityOf(object);
  const result = transform(object);
  if (identityOf(result) === identity) return result;
  disown(result);
  throw new TypeError('transform must give an object of the same name, namespace, uid and resourceVersion');
}

/** What tells an object and its version from all others. A promise, say, has none of it. */
function identityOf(object: { readonly metadata?: ObjectMeta }): string {
  const { name, namespace, uid, resourceVersion } = object?.metadata ?? {};
  return [namespace, name, uid, resourceVersion].join('/');
}

function withoutManagedFields<O extends StoredObject>(object: O): O {
  const whole: ObjectMeta = object.metadata;
  if (whole.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = whole;
  // A copy, because an object from which a property was deleted takes more memory. Only an optional field is gone.
  return { ...object, metadata } as O;
}

/** Parts that are frozen already may have parts that are not. */
function freezeDeep(object: object): void {
  const seen = new Set<object>();
  const left: unknown[] = [object];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    // Bytes, of a transform: no engine can freeze them.
    if (ArrayBuffer.isView(value)) continue;
    seen.add(Object.freeze(value));
    // One by one: a call takes only so many arguments.
    for (const part of Object.values(value)) left.push(part);
  }
}
