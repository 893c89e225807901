/** Keys of objects that are reconciled, and names of those that runs read and write. */

/** Identifies an object that is reconciled, by namespace and name. */
export interface ReconcileKey {
  /** Name of the cluster, if a controller reconciles objects of several ones. */
  readonly cluster?: string | undefined;
  /** Namespace, or `''` for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** Object of a write or an event. */
export interface ObjectName {
  /** API group: `apps`. `''` is the core group. */
  readonly group: string;
  /** Plural name: `deployments`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Returns the identity of a key in queues and maps. Names contain no slash. */
export function idOf({ cluster, namespace, name }: ReconcileKey): string {
  return cluster === undefined ? `${namespace}/${name}` : `${cluster}/${namespace}/${name}`;
}

/** Returns the key of an identity. */
export function keyOfId(id: string): ReconcileKey {
  const [name = '', namespace = '', cluster] = id.split('/').reverse();
  return cluster === undefined ? { namespace, name } : { cluster, namespace, name };
}

/** Returns a key for messages and logs: `shop/web`, or `web` for a cluster-scoped object. */
export function keyText({ cluster, namespace, name }: ReconcileKey): string {
  const text = namespace === '' ? name : `${namespace}/${name}`;
  return cluster === undefined ? text : `${text} in cluster ${cluster}`;
}

/**
 * Returns a key of a user's function, with its namespace.
 * @throws {TypeError} if it has no name, or a member of another type
 */
export function checkedKey(key: unknown): ReconcileKey {
  const [cluster, namespace = '', name] = ['cluster', 'namespace', 'name'].map((member): unknown =>
    Reflect.get(Object(key), member),
  );
  const isValid =
    isName(name) &&
    name !== '' &&
    isName(namespace) &&
    (cluster === undefined || typeof cluster === 'string');
  if (!isValid) throw new TypeError('a key must be { namespace, name }, strings without "/", with a name');
  return cluster === undefined ? { namespace, name } : { cluster, namespace, name };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('/');
}
