/** Keys of objects that are reconciled. */

/** Identifies an object that is reconciled. */
export interface ReconcileKey {
  /** Name of the cluster, if a controller reconciles objects of several ones. */
  readonly cluster?: string | undefined;
  /** Namespace, or `''` for a cluster-scoped object. */
  readonly namespace: string;
  readonly name: string;
}

/** Returns the identity of a key in queues and maps. Names contain no slash. */
export function idOf({ cluster, namespace, name }: ReconcileKey): string {
  return cluster === undefined ? `${namespace}/${name}` : `${cluster}/${namespace}/${name}`;
}

/** Returns a key for messages and logs: `shop/web`, or `web` for a cluster-scoped object. */
export function keyText({ cluster, namespace, name }: ReconcileKey): string {
  const text = namespace === '' ? name : `${namespace}/${name}`;
  return cluster === undefined ? text : `${text} in cluster ${cluster}`;
}
