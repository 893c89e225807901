/**
 * Rules of roles, and the requests that they allow.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/
 */

import type { Action } from '@kgen/schema/cel/library/kubernetes/authorizer';
import { array, isObject, type JsonObject, strings } from '@kgen/schema/values/json';

/** A rule of a Role or ClusterRole. Absent lists are empty. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

/** Returns the rules of a stored Role or ClusterRole. */
export function rulesOf(role: JsonObject): readonly PolicyRule[] {
  const known = parsed.get(role);
  if (known !== undefined) return known;
  const rules = array(role, 'rules')
    .filter(isObject)
    .map((rule) => ({
      verbs: strings(rule, 'verbs'),
      apiGroups: strings(rule, 'apiGroups'),
      resources: strings(rule, 'resources'),
      resourceNames: strings(rule, 'resourceNames'),
      nonResourceURLs: strings(rule, 'nonResourceURLs'),
    }));
  parsed.set(role, rules);
  return rules;
}

/** Parsed rules by stored object: a changed role is a different object. */
const parsed = new WeakMap<JsonObject, readonly PolicyRule[]>();

/** Returns whether a rule allows an action. */
export function ruleAllows(rule: PolicyRule, attributes: Action): boolean {
  if (!hasOrAll(rule.verbs, attributes.verb)) return false;
  if (attributes.path !== undefined) return nonResourceMatches(rule.nonResourceURLs, attributes.path);
  const { group, resource, subresource, name } = attributes;
  return (
    hasOrAll(rule.apiGroups, group) &&
    resourceMatches(rule.resources, resource, subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(name))
  );
}

function hasOrAll(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

function resourceMatches(list: readonly string[], resource: string, subresource: string): boolean {
  if (subresource === '') return hasOrAll(list, resource);
  return hasOrAll(list, `${resource}/${subresource}`) || list.includes(`*/${subresource}`);
}

function nonResourceMatches(list: readonly string[], path: string): boolean {
  return list.some((pattern) => urlCovers(pattern, path));
}

/**
 * Returns whether a non-resource URL of a rule, which may end with `*`, contains a path or another pattern.
 */
export function urlCovers(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/(?<!\*)\*+$/, '')));
}
