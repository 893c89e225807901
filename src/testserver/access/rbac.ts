/**
 * Decisions of RBAC: the rules that apply to a user, and whether one of them allows an action.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/
 */

import { array, isObject, type Json, type JsonObject, object, text } from '@kgen/schema/values/json';
import { accountUserName, mastersGroup, type User } from '../identity/user.ts';
import type { Attributes } from '../request/attributes.ts';
import { type PolicyRule, ruleAllows, rulesOf } from './rules.ts';

/** Roles and bindings of a server. */
export interface RoleSource {
  /** Returns a role, or a cluster role if `namespace` is empty. */
  role(namespace: string, name: string): JsonObject | undefined;
  /** Returns the role bindings of a namespace, or the cluster role bindings if `namespace` is empty. */
  bindings(namespace: string): Iterable<JsonObject>;
}

/** Whether an action is allowed, and the reason that a server returns. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Decides whether the user of an action is permitted to perform it. */
export function authorize(source: RoleSource, attributes: Attributes): Decision {
  if (attributes.user.groups.includes(mastersGroup)) return { allowed: true, reason: '' };
  const errors: string[] = [];
  for (const found of grantsOf(source, attributes.user, attributes.namespace)) {
    if (found.error !== undefined) errors.push(found.error);
    else if (found.rules.some((rule) => ruleAllows(rule, attributes)))
      return { allowed: true, reason: `RBAC: allowed by ${describeGrant(found)}` };
  }
  return { allowed: false, reason: errors.length === 0 ? '' : `RBAC: ${aggregated(errors)}` };
}

/** Rules that apply to a user, and errors of bindings whose role does not exist. */
export interface UserRules {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly string[];
}

/** Returns the rules that apply to a user in a namespace, or in the whole cluster if it is empty. */
export function rulesFor(source: RoleSource, user: User, namespace: string): UserRules {
  const grants = [...grantsOf(source, user, namespace)];
  return {
    rules: grants.flatMap(({ rules }) => rules),
    errors: grants.flatMap(({ error }) => error ?? []),
  };
}

/** Joins errors as Kubernetes does: equal ones once, several in brackets. */
export function aggregated(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? distinct.join('') : `[${distinct.join(', ')}]`;
}

/** A binding that applies to a user, with the rules of its role. */
interface Grant {
  readonly binding: JsonObject;
  /** Namespace of the binding; empty for a cluster role binding. */
  readonly namespace: string;
  readonly subject: JsonObject;
  readonly rules: readonly PolicyRule[];
  /** Message of a role that does not exist. */
  readonly error?: string;
}

/**
 * Yields the bindings that apply to a user in a namespace, those of the cluster first; only these for the
 * empty one.
 */
export function* grantsOf(source: RoleSource, user: User, namespace: string): Generator<Grant> {
  for (const scope of namespace === '' ? [''] : ['', namespace]) {
    for (const binding of source.bindings(scope)) {
      const subject = array(binding, 'subjects')
        .filter(isObject)
        .find((item) => applies(item, user, scope));
      if (subject === undefined) continue;
      const role = rulesOfReference(source, object(binding, 'roleRef'), scope);
      yield { binding, namespace: scope, subject, ...role };
    }
  }
}

function applies(subject: JsonObject, user: User, scope: string): boolean {
  const name = text(subject, 'name');
  switch (text(subject, 'kind')) {
    case 'User':
      return user.name === name;
    case 'Group':
      return user.groups.includes(name);
    case 'ServiceAccount': {
      const namespace = text(subject, 'namespace') || scope;
      return namespace !== '' && user.name === accountUserName({ namespace, name });
    }
    default:
      return false;
  }
}

/**
 * Returns the rules of a referenced role, or the error of one that does not exist.
 * @param scope namespace of the binding; empty for a cluster role binding
 */
export function rulesOfReference(source: RoleSource, reference: Json, scope: string): RoleRules {
  const [kind, name] = [text(reference, 'kind'), text(reference, 'name')];
  if (kind !== 'Role' && kind !== 'ClusterRole')
    return { rules: [], error: `unsupported role reference kind: ${JSON.stringify(kind)}` };
  const role = source.role(kind === 'Role' ? scope : '', name);
  if (role !== undefined) return { rules: rulesOf(role) };
  return {
    rules: [],
    error: `${kind.toLowerCase()}.rbac.authorization.k8s.io ${JSON.stringify(name)} not found`,
  };
}

/** Rules of a role, or the reason why there are none. */
interface RoleRules {
  readonly rules: readonly PolicyRule[];
  readonly error?: string;
}

function describeGrant({ binding, namespace, subject }: Grant): string {
  const quoted = (...parts: readonly string[]): string => JSON.stringify(parts.join('/'));
  const [kind, name] = [text(subject, 'kind'), text(subject, 'name')];
  const bound = text(binding, 'metadata', 'name');
  const role = `${text(binding, 'roleRef', 'kind')} ${quoted(text(binding, 'roleRef', 'name'))}`;
  const to = kind === 'ServiceAccount' ? quoted(name, text(subject, 'namespace') || namespace) : quoted(name);
  return namespace === ''
    ? `ClusterRoleBinding ${quoted(bound)} of ${role} to ${kind} ${to}`
    : `RoleBinding ${quoted(bound, namespace)} of ${role} to ${kind} ${to}`;
}
