/** Pods and containers that requests for streams name. */

import { array, type JsonObject, text } from '@kgen/schema/values/json';
import { authorize } from '../access/rbac.ts';
import { storedRoles } from '../access/roles.ts';
import type { Context } from '../call/context.ts';
import { badRequest, forbidden, methodNotAllowed, notFound } from '../errors/failures.ts';
import { attributesOf } from '../request/attributes.ts';

/** @throws {Failure} 404 */
export function podOf({ store, type, namespace, name }: Context): JsonObject {
  const pod = store.get(type.storage, `${namespace}/${name}`);
  if (pod === undefined) throw notFound(type, name);
  return pod;
}

/** @throws {Failure} 400 for a container that the pod does not have */
export function containerOf(pod: JsonObject, requested: string): string {
  const lists = ['initContainers', 'containers', 'ephemeralContainers'];
  const names = lists.flatMap((list) => array(pod, 'spec', list).map((container) => text(container, 'name')));
  const podName = text(pod, 'metadata', 'name');
  if (requested !== '' && names.includes(requested)) return requested;
  if (requested !== '') throw badRequest(`container ${requested} is not valid for pod ${podName}`);
  const [only, ...more] = array(pod, 'spec', 'containers');
  if (only !== undefined && more.length === 0) return text(only, 'name');
  throw badRequest(
    `a container name must be specified for pod ${podName}, choose one of: [${names.join(' ')}]`,
  );
}

/**
 * Checks the method and the permission of a connection. A WebSocket begins with GET, but needs the
 * permission to create.
 * @throws {Failure} 403 or 405
 */
export function checkConnect({ store, needs, type, name, request }: Context): void {
  if (request.method !== 'GET' && request.method !== 'POST') throw methodNotAllowed(type);
  const attributes = { ...attributesOf(request), verb: 'create' };
  const { allowed, reason } = authorize(storedRoles(store), attributes);
  if (request.method === 'GET') needs.note(attributes, allowed, request);
  if (!allowed) throw forbidden(type, name, reason);
}

/** @throws {Failure} 400 for a pod that is not scheduled */
export function checkScheduled(pod: JsonObject): void {
  if (text(pod, 'spec', 'nodeName') !== '') return;
  throw badRequest(`pod ${text(pod, 'metadata', 'name')} does not have a host assigned`);
}

/** Calls a function once, when the pod of a request is deleted. Returns a function that cancels the call. */
export function onDeleted({ store, type, namespace, name }: Context, listener: () => void): () => void {
  const unsubscribe = store.subscribe((change) => {
    if (change.type !== 'DELETED' || change.resource !== type.storage) return;
    if (change.key !== `${namespace}/${name}`) return;
    unsubscribe();
    listener();
  });
  return unsubscribe;
}
