/**
 * Aggregated cluster roles: their rules are those of the cluster roles that their selectors match.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles
 */

import { array, equal, type Json, type JsonObject, object, replace } from '@kgen/schema/values/json';
import type { ServerState } from '../call/context.ts';
import { matchesSelector } from '../resources/label-selector.ts';
import { roleStorage } from './roles.ts';

/** Completes the rules of aggregated cluster roles. Returns whether any changed. */
export function aggregateRoles({ store }: ServerState): boolean {
  const roles = store.list(roleStorage.clusterRoles);
  let isChanged = false;
  for (const [name, role] of roles) {
    const selectors = array(role, 'aggregationRule', 'clusterRoleSelectors');
    if (selectors.length === 0) continue;
    const rules = rulesFor(name, selectors, roles);
    if (equal(rules, array(role, 'rules'))) continue;
    store.put(roleStorage.clusterRoles, name, replace(role, 'rules', rules));
    isChanged = true;
  }
  return isChanged;
}

type Roles = readonly (readonly [name: string, role: JsonObject])[];

/** Returns the rules in the order of the selectors and the names of the roles, equal ones once. */
function rulesFor(self: string, selectors: readonly Json[], roles: Roles): readonly Json[] {
  const rules: Json[] = [];
  for (const selector of selectors) {
    for (const [name, role] of roles) {
      if (name === self || !matchesSelector(object(role, 'metadata', 'labels'), selector)) continue;
      for (const rule of array(role, 'rules'))
        if (!rules.some((other) => equal(other, rule))) rules.push(rule);
    }
  }
  return rules;
}
