/**
 * Owner references. Functions that change an object return a changed copy.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/
 */
import { isOwn, OwnError } from '../api/errors.ts';
import type { KubernetesObject, ObjectMeta, OwnerReference } from '../api/meta.ts';
import { stringOf } from '../common/readable.ts';
import { listOr, withMetadata } from './metadata.ts';

/** An object that may own others: one that was read from a server, or created with these members. */
export interface OwnerObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: Pick<ObjectMeta, 'name' | 'uid' | 'namespace' | 'deletionTimestamp'> | undefined;
}

/**
 * A new reference would refer to an owner that is being deleted, or is gone. With `--cascade=orphan`, the
 * garbage collector removes the references of the dependents while the owner still exists: an object that
 * receives one again is deleted after its owner.
 */
export class OwnerTerminatingError extends OwnError {
  /** Identity of the owner: apiVersion, kind, and name, namespace and uid in `metadata`. */
  readonly owner: OwnerObject;

  constructor(message: string, { apiVersion, kind, metadata }: OwnerObject, options?: ErrorOptions) {
    super(message, options);
    const { name, namespace, uid } = metadata ?? {};
    // Not the owner itself, which may be a Secret: loggers write all members of errors.
    this.owner = { apiVersion, kind, metadata: { name, namespace, uid } };
  }

  override get name(): 'OwnerTerminatingError' {
    return 'OwnerTerminatingError';
  }
}

/** Returns whether an error is an `OwnerTerminatingError`. */
export function isOwnerTerminating(error: unknown): error is OwnerTerminatingError {
  return isOwn(error, 'OwnerTerminatingError');
}

/** Options of an owner reference. Both default to false. */
export interface OwnerReferenceOptions {
  /** Whether the owner is the managing controller. At most one owner is. */
  readonly controller?: boolean | undefined;
  /** Whether foreground deletion of the owner waits for the object. */
  readonly blockOwnerDeletion?: boolean | undefined;
}

/**
 * Returns a reference to `owner`. Does not validate scopes; `setOwnerReference` and `setControllerReference`
 * do.
 * @throws {TypeError} an owner without apiVersion, kind, name or uid, which no server has stored
 * @throws {OwnerTerminatingError} an owner that is being deleted
 * @example
 * ```ts
 * import { ownerReference } from '@kgen/runtime/objects';
 *
 * const owner = await clientset.coreV1.configMaps('shop').get('settings');
 * const metadata = { name: 'copy', ownerReferences: [ownerReference(owner)] };
 * await clientset.coreV1.configMaps('shop').create({ metadata });
 * ```
 */
export function ownerReference(owner: OwnerObject, options: OwnerReferenceOptions = {}): OwnerReference {
  const { apiVersion, kind, metadata: { name, uid } = {} } = owner;
  if (!apiVersion || !kind || !name || !uid) {
    throw new TypeError(
      `owner reference to ${described(owner)}: it needs apiVersion, kind, metadata.name and metadata.uid, which an object that was read from a server has`,
    );
  }
  if (isTerminating(owner)) {
    throw new OwnerTerminatingError(`no object may refer to ${described(owner)}: it is being deleted`, owner);
  }
  const { controller, blockOwnerDeletion } = options;
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller !== undefined && { controller }),
    ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
  };
}

/** Returns the reference to the managing controller, or `undefined`. */
export function controllerOf(object: KubernetesObject): OwnerReference | undefined {
  return referencesOf(object).find((reference) => reference?.controller === true);
}

/** Returns whether `owner` (by its uid) is among the owners of the object. */
export function isOwnedBy(object: KubernetesObject, owner: OwnerObject): boolean {
  const uid = owner.metadata?.uid;
  return !!uid && referencesOf(object).some((reference) => reference?.uid === uid);
}

/** Returns whether `owner` (by its uid) is the managing controller of the object. */
export function isControlledBy(object: KubernetesObject, owner: OwnerObject): boolean {
  const uid = owner.metadata?.uid;
  return !!uid && controllerOf(object)?.uid === uid;
}

/**
 * Returns the object with `owner` among its owners. A reference to the same owner (group, kind and name) is
 * replaced, so that an owner that was created again keeps its dependents. Object and owner must have their
 * namespaces. An object that `owner` (by its uid) owns already is returned as it is if the owner is being
 * deleted.
 * @throws {TypeError} an owner in another namespace, a namespaced owner of an object without namespace (in
 * both cases the garbage collector would delete the object), or an owner that no server has stored
 * @throws {OwnerTerminatingError} another object, and an owner that is being deleted
 */
export function setOwnerReference<T extends KubernetesObject>(
  object: T,
  owner: OwnerObject,
  options: OwnerReferenceOptions = {},
): T {
  checkNamespaces(object, owner);
  if (isTerminating(owner) && isOwnedBy(object, owner)) return object;
  return withReference(object, ownerReference(owner, options));
}

/**
 * Returns the object with `owner` as its managing controller. Foreground deletion of the owner waits for the
 * object, unless `blockOwnerDeletion` is false. An object that `owner` (by its uid) controls already is
 * returned as it is if the owner is being deleted.
 * @throws {TypeError} as `setOwnerReference`, and if the object has another managing controller
 * @throws {OwnerTerminatingError} another object, and an owner that is being deleted
 * @example
 * ```ts
 * import { setControllerReference } from '@kgen/runtime/objects';
 *
 * const owner = await clientset.myV1.myApps('shop').get('web');
 * const child = { metadata: { name: 'web', namespace: 'shop' }, data: { color: 'blue' } };
 * await clientset.coreV1.configMaps('shop').create(setControllerReference(child, owner));
 * ```
 */
export function setControllerReference<T extends KubernetesObject>(
  object: T,
  owner: OwnerObject,
  options: Pick<OwnerReferenceOptions, 'blockOwnerDeletion'> = {},
): T {
  checkNamespaces(object, owner);
  if (isTerminating(owner) && isControlledBy(object, owner)) return object;
  const reference = ownerReference(owner, { controller: true, blockOwnerDeletion: true, ...options });
  const controller = controllerOf(object);
  if (controller !== undefined && !isSameOwner(controller, reference)) {
    throw new TypeError(
      `${described(object)} cannot be controlled by ${described(owner)}: ${stringOf(controller.kind)} ${stringOf(controller.name)} controls it already`,
    );
  }
  return withReference(object, reference);
}

/**
 * Returns the object without any reference to `owner` (by group, kind and name), or the same object if there
 * is none.
 */
export function removeOwnerReference<T extends KubernetesObject>(object: T, owner: OwnerObject): T {
  const references = referencesOf(object);
  const rest = references.filter((reference) => !isSameOwner(reference, namedBy(owner)));
  if (rest.length === references.length) return object;
  return withMetadata(object, { ownerReferences: rest });
}

function isTerminating({ metadata }: OwnerObject): boolean {
  return !!metadata?.deletionTimestamp;
}

type OwnerName = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'>;

function namedBy({ apiVersion = '', kind = '', metadata }: OwnerObject): OwnerName {
  return { apiVersion, kind, name: metadata?.name ?? '' };
}

/** Returns the unvalidated references of an object, whose entries may have any type. */
function referencesOf(object: KubernetesObject): readonly OwnerReference[] {
  return listOr(object.metadata?.ownerReferences);
}

/** Versions of the API do not count. */
function isSameOwner(a: OwnerName | null | undefined, b: OwnerName): boolean {
  return groupOf(a?.apiVersion) === groupOf(b.apiVersion) && a?.kind === b.kind && a.name === b.name;
}

function groupOf(apiVersion: unknown): string {
  if (typeof apiVersion !== 'string') return '';
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

function withReference<T extends KubernetesObject>(object: T, reference: OwnerReference): T {
  const references = referencesOf(object);
  const known = references.some((candidate) => isSameOwner(candidate, reference));
  const ownerReferences = known
    ? references.map((candidate) => (isSameOwner(candidate, reference) ? reference : candidate))
    : [...references, reference];
  return withMetadata(object, { ownerReferences });
}

function checkNamespaces(object: KubernetesObject, owner: OwnerObject): void {
  const theirs = owner.metadata?.namespace;
  if (!theirs) return; // A cluster-scoped owner may own any object.
  const ours = object.metadata?.namespace;
  if (ours === theirs) return;
  const why = ours
    ? 'owner and object must be in the same namespace'
    : 'a namespaced owner cannot own an object without a namespace';
  throw new TypeError(`${described(object)} cannot be owned by ${described(owner)}: ${why}`);
}

function described({ kind = 'object', metadata }: OwnerObject): string {
  const parts = [metadata?.namespace, metadata?.name].filter((part) => part);
  const name = parts.map(stringOf).join('/');
  return name === '' ? stringOf(kind) : `${stringOf(kind)} ${name}`;
}
