/** Checks of writes to roles and bindings: a user may grant only permissions that it holds. */

import { array, equal, isObject, type JsonObject, object, omit, own, text } from '@kgen/schema/values/json';
import type { Context } from '../call/context.ts';
import { badRequest, forbidden, notFound } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';
import { mastersGroup } from '../identity/user.ts';
import { type Attributes, attributesOf } from '../request/attributes.ts';
import { escalation, fullAuthority, holds, split } from './escalation.ts';
import { authorize, type RoleSource, rulesFor, rulesOfReference, type UserRules } from './rbac.ts';
import { roleStorage, storedRoles } from './roles.ts';
import { type PolicyRule, rulesOf } from './rules.ts';

/**
 * Checks a role or binding before it is stored. Objects of other kinds are not concerned.
 * @param old the stored object; `undefined` for a creation
 * @throws {Failure} 403 that lists the missing rules, 404 for a binding of a role that does not exist
 */
export function checkGrant(context: Context, value: JsonObject, old: JsonObject | undefined): void {
  const { type, store, request } = context;
  const isRole = type.storage === roleStorage.roles || type.storage === roleStorage.clusterRoles;
  const isBinding =
    type.storage === roleStorage.roleBindings || type.storage === roleStorage.clusterRoleBindings;
  if ((!isRole && !isBinding) || request.user.groups.includes(mastersGroup)) return;
  const source = storedRoles(store);
  if (isRole && isPermitted(context, source, { ...attributesOf(request), verb: 'escalate' })) return;
  if (old !== undefined && isSameGrant(value, old)) return;
  if (isRole) checkRole(context, source, value, old);
  else checkBinding(context, source, value);
}

function isPermitted({ needs, request }: Context, source: RoleSource, attributes: Attributes): boolean {
  const { allowed } = authorize(source, attributes);
  if (allowed) needs.note(attributes, true, request);
  return allowed;
}

/** Garbage collection changes owners and finalizers of objects whose rules the collector does not hold. */
function isSameGrant(value: JsonObject, old: JsonObject): boolean {
  const rest = (object1: JsonObject): JsonObject => ({
    ...object1,
    metadata: omit(object(object1, 'metadata'), 'ownerReferences', 'finalizers', 'managedFields', 'selfLink'),
  });
  return equal(rest(value), rest(old));
}

function checkRole(
  context: Context,
  source: RoleSource,
  value: JsonObject,
  old: JsonObject | undefined,
): void {
  const { type, namespace, request } = context;
  const name = text(value, 'metadata', 'name');
  const held = rulesFor(source, request.user, namespace);
  noteGranted(context, held, rulesOf(value));
  const problem = escalation(request.user, held, rulesOf(value));
  if (problem !== undefined) throw forbidden(type, name, problem);
  if (![value, old].some(isAggregated)) return;
  if (escalation(request.user, held, fullAuthority) === undefined) return;
  throw forbidden(type, name, 'must have cluster-admin privileges to use the aggregationRule');
}

/** Notes the rules that a user grants, which it needs itself. */
function noteGranted(
  { needs, request, namespace }: Context,
  held: UserRules,
  granted: readonly PolicyRule[],
): void {
  for (const part of granted.flatMap(split)) {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = part;
    const [verb = ''] = verbs;
    const [group = ''] = apiGroups;
    const [resource = '', subresource = ''] = (resources[0] ?? '').split('/');
    const [name = ''] = resourceNames;
    const [path] = nonResourceURLs;
    const action = { verb, group, resource, subresource, namespace, name };
    const attributes = { user: request.user, ...action, ...(path === undefined ? {} : { path }) };
    needs.note(attributes, holds(held, part), request, 'to grant it to others');
  }
}

function isAggregated(role: JsonObject | undefined): boolean {
  return array(role, 'aggregationRule', 'clusterRoleSelectors').length > 0;
}

function checkBinding(context: Context, source: RoleSource, value: JsonObject): void {
  const { type, namespace, request } = context;
  const reference = own(value, 'roleRef');
  if (!isObject(reference)) return;
  const { user } = request;
  const [kind, name] = [text(reference, 'kind'), text(reference, 'name')];
  const resource = kind === 'Role' ? 'roles' : 'clusterroles';
  const target = {
    group: text(reference, 'apiGroup') || type.group,
    resource,
    subresource: '',
    namespace,
    name,
  };
  if (isPermitted(context, source, { user, verb: 'bind', ...target })) return;
  if (kind !== 'Role' && kind !== 'ClusterRole')
    throw new Failure({ code: 500, message: `unsupported role reference kind: ${JSON.stringify(kind)}` });
  if (name === '') throw badRequest('Name parameter required.');
  const role = rulesOfReference(source, reference, namespace);
  // A real server names the binding's resource in this message.
  if (role.error !== undefined) throw notFound(type, name);
  const held = rulesFor(source, user, namespace);
  noteGranted(context, held, role.rules);
  const problem = escalation(user, held, role.rules);
  if (problem !== undefined) throw forbidden(type, text(value, 'metadata', 'name'), problem);
}
