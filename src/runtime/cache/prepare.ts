import type { ObjectMeta } from '../meta.ts';
import type { Stored, StoredObject } from '../types.ts';
import type { InformerOptions } from './informer.ts';

/** What happens to each object between the server and the store. Throws what the transform throws. */
export function preparation<T>(options: InformerOptions<T>): (object: Stored<T>) => Stored<T> {
  const { keepManagedFields = false, freeze = false } = options;
  return (object) => {
    const identity = identityOf(object);
    const lean = keepManagedFields ? object : withoutManagedFields(object);
    const transformed = options.transform?.(lean) ?? lean;
    if (identityOf(transformed) !== identity) {
      throw new TypeError(
        'transform must give an object of the same name, namespace, uid and resourceVersion',
      );
    }
    if (freeze) freezeDeep(transformed);
    return transformed;
  };
}

/** What tells an object and its version from all others. A promise, say, has none of it. */
function identityOf(object: { readonly metadata?: ObjectMeta }): string {
  const { name, namespace, uid, resourceVersion } = object.metadata ?? {};
  return [namespace, name, uid, resourceVersion].join('/');
}

function withoutManagedFields<O extends StoredObject>(object: O): O {
  const { managedFields, ...metadata }: ObjectMeta = object.metadata;
  // A copy, because an object from which a property was deleted takes more memory. Only an optional field is gone.
  return managedFields === undefined ? object : ({ ...object, metadata } as O);
}

function freezeDeep(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freezeDeep(part);
}
