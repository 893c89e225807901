/** Permissions for owner references that block the deletion of their owner. */
import { array, isObject, type JsonObject, own, text } from '@kgen/schema/values/json';
import type { Context } from '../call/context.ts';
import { servedTypes } from '../resources/catalog.ts';
import { authorize } from './rbac.ts';
import { storedRoles } from './roles.ts';

const purpose =
  'for owner references with blockOwnerDeletion, which clusters with the admission plugin ' +
  'OwnerReferencesPermissionEnforcement refuse without it';

/**
 * Notes the permissions for the blocking owner references that a write adds. As on a server with the default
 * plugins, they are not required.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#ownerreferencespermissionenforcement
 */
export function noteOwners(context: Context, value: JsonObject, old: JsonObject | undefined): void {
  const { store, needs, request } = context;
  if (needs.account === undefined) return;
  const known = new Set(blockingOwners(old).map((owner) => text(owner, 'uid')));
  for (const owner of blockingOwners(value)) {
    const [apiVersion, kind, name] = [text(owner, 'apiVersion'), text(owner, 'kind'), text(owner, 'name')];
    const type = servedTypes(store).find((each) => each.apiVersion === apiVersion && each.kind === kind);
    if (type === undefined || known.has(text(owner, 'uid'))) continue;
    const { group, plural: resource } = type;
    const namespace = type.namespaced ? context.namespace : '';
    const target = { group, resource, subresource: 'finalizers', namespace, name };
    const attributes = { user: request.user, verb: 'update', ...target };
    needs.note(attributes, authorize(storedRoles(store), attributes).allowed, request, purpose);
  }
}

function blockingOwners(value: JsonObject | undefined): readonly JsonObject[] {
  const owners = array(value, 'metadata', 'ownerReferences').filter(isObject);
  return owners.filter((owner) => own(owner, 'blockOwnerDeletion') === true);
}
