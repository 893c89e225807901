/** Ownership of dependents: by a controller reference, or by labels. Pure. */
import { createHash } from 'node:crypto';
import type { KubernetesObject, Stored } from '@kgen/runtime';
import { controllerOf, setControllerReference } from '@kgen/runtime/objects';
import { metadataString } from '../members.ts';
import type { ReconcileKey } from '../runs/key.ts';

/**
 * Place of the record that identifies the primary object in a dependent: an owner reference, or labels for
 * dependents in another namespace or scope.
 */
export type DependentTracking = 'ownerReference' | 'labels';

/** Label of dependents that are tracked by labels: the uid of the primary object. */
export const ownerUidLabel = 'kgen.dev/owner-uid';
/** Label of dependents that are tracked by labels: the name of the primary object, shortened. */
export const ownerNameLabel = 'kgen.dev/owner-name';
/** Annotation of each dependent: namespace, name and uid of the primary object. */
export const ownerAnnotation = 'kgen.dev/owner';

/** Returns the intent with the record of its primary object. */
export function withOwner(
  intent: KubernetesObject,
  primary: Stored<KubernetesObject>,
  tracking: DependentTracking,
): KubernetesObject {
  const { namespace = '', name, uid } = primary.metadata;
  const annotations = { ...intent.metadata?.annotations, [ownerAnnotation]: `${namespace}/${name}/${uid}` };
  const marked = { ...intent, metadata: { ...intent.metadata, annotations } };
  if (tracking === 'ownerReference') return setControllerReference(marked, primary);
  const owner = { [ownerUidLabel]: uid, [ownerNameLabel]: labelValueOf(name) };
  return { ...marked, metadata: { ...marked.metadata, labels: { ...intent.metadata?.labels, ...owner } } };
}

/** Returns whether a primary object controls an object, so that it may delete it. */
export function isTracked(
  object: KubernetesObject,
  { metadata: { uid } }: Stored<KubernetesObject>,
  tracking: DependentTracking,
): boolean {
  const controller = controllerOf(object);
  if (tracking === 'ownerReference' || controller !== undefined) return controller?.uid === uid;
  return object.metadata?.labels?.[ownerUidLabel] === uid;
}

/**
 * Relation of an object to a primary object: `own`, also if its reference was removed while the primary
 * object existed; `unowned`; or the owner that controls it.
 */
export type Relation = 'own' | 'unowned' | { readonly owner: string };

/** Returns the relation of an object to a primary object. */
export function relationOf(object: KubernetesObject, { metadata }: Stored<KubernetesObject>): Relation {
  const { uid } = metadata;
  const controller = controllerOf(object);
  if (controller !== undefined) {
    if (controller.uid === uid) return 'own';
    return { owner: `is controlled by ${controller.kind} ${controller.name}` };
  }
  const mark = markOf(object);
  const label = object.metadata?.labels?.[ownerUidLabel];
  if (label !== undefined && label !== uid) {
    return {
      owner: `belongs to ${mark === undefined ? `the object with the uid ${label}` : placeText(mark)}`,
    };
  }
  return label === uid || mark?.uid === uid ? 'own' : 'unowned';
}

/** Returns the key of the primary object that tracks an object by labels. */
export function trackerKeys(object: KubernetesObject): readonly ReconcileKey[] {
  const mark = markOf(object);
  const isTracking = mark !== undefined && object.metadata?.labels?.[ownerUidLabel] === mark.uid;
  return isTracking ? [{ namespace: mark.namespace, name: mark.name }] : [];
}

interface Mark {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

function markOf(object: KubernetesObject): Mark | undefined {
  const [namespace, name, uid, ...more] = object.metadata?.annotations?.[ownerAnnotation]?.split('/') ?? [];
  return namespace === undefined || !name || !uid || more.length > 0 ? undefined : { namespace, name, uid };
}

function placeText({ namespace, name }: Pick<Mark, 'namespace' | 'name'>): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** Names have up to 253 characters, values of labels 63 and fewer kinds of characters. */
function labelValueOf(name: string): string {
  if (/^[A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?$/.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  const start = name.replace(/[^-\w.]/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return `${start.slice(0, 54)}-${hash}`.replace(/^-/, '');
}

/** Returns an object for messages: `ConfigMap shop/web`. */
export function objectText(kind: string, object: KubernetesObject): string {
  const namespace = object.metadata?.namespace ?? '';
  return `${kind} ${placeText({ namespace, name: metadataString(object, 'name') ?? '' })}`;
}
