import { apiVersionOf } from '../api/group-version.ts';
import type { Resource, ResourceTypes } from '../api/resource.ts';
import { identified } from '../client/requests/bodies.ts';

/** An object of type `T` whose apiVersion and kind are present, as in a manifest. */
export type Manifest<T> = T & Identity<T>;

type Identity<T> = { [K in keyof T & ('apiVersion' | 'kind')]-?: NonNullable<T[K]> };

/**
 * Returns an object with the apiVersion and kind of a resource, for `dumpYaml`, `applyManifests` and every
 * other reader of whole objects. Needs no connection.
 * @param resource descriptor of the kind
 * @throws {TypeError} the object has another apiVersion or kind
 * @example
 * ```ts
 * import { namespaces } from '@kgen/kubernetes/core/v1';
 * import { manifest } from '@kgen/runtime/manifests';
 * import { dumpYaml } from '@kgen/runtime/yaml';
 *
 * console.log(await dumpYaml(manifest(namespaces, { metadata: { name: 'shop' } })));
 * ```
 */
export function manifest<T extends object>(
  resource: Resource<TypesWith<T>>,
  object: NoInfer<T>,
): Manifest<T> {
  const { kind } = resource;
  const whole = identified(object, { apiVersion: apiVersionOf(resource), kind, namespace: undefined });
  return whole as Manifest<T>; // seam: the descriptor has the apiVersion and kind of T
}

/** The types of a resource of which only the objects matter. */
interface TypesWith<T> extends ResourceTypes {
  readonly object: T;
}
