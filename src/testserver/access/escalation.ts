/**
 * Prevention of privilege escalation: a role may be written or bound only by users that hold its rules.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping
 */

import type { User } from '../identity/user.ts';
import type { UserRules } from './rbac.ts';
import { type PolicyRule, urlCovers } from './rules.ts';

const nothing: PolicyRule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
};

/** Rules that allow everything, which the use of an aggregation rule requires. */
export const fullAuthority: readonly PolicyRule[] = [
  { ...nothing, verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { ...nothing, verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Returns the message about a user that grants rules which it does not hold, or `undefined`. */
export function escalation(user: User, held: UserRules, granted: readonly PolicyRule[]): string | undefined {
  const missing = granted.flatMap(split).filter((part) => !holds(held, part));
  if (missing.length === 0) return undefined;
  const descriptions = [...new Set(compact(missing).map(describeRule))].sort();
  const errors = held.errors.length === 0 ? '' : `; resolution errors: ${held.errors.join(', ')}`;
  const subject = `user ${JSON.stringify(user.name)} (groups=${quoted(user.groups)})`;
  return `${subject} is attempting to grant RBAC permissions not currently held:\n${descriptions.join('\n')}${errors}`;
}

/** Splits a rule into rules with one verb, and one resource and name or one URL. */
export function split(rule: PolicyRule): readonly PolicyRule[] {
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const ofResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          ...nothing,
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames,
        })),
      ),
    ),
  );
  const ofUrls = rule.nonResourceURLs.flatMap((url) =>
    rule.verbs.map((verb) => ({ ...nothing, verbs: [verb], nonResourceURLs: [url] })),
  );
  return [...ofResources, ...ofUrls];
}

/** Returns whether one of the rules of a user allows everything that a split rule allows. */
export function holds({ rules }: UserRules, part: PolicyRule): boolean {
  return rules.some((rule) => covers(rule, part));
}

/** Returns whether a rule allows everything that a split rule allows. */
function covers(rule: PolicyRule, part: PolicyRule): boolean {
  return (
    containsAll(rule.verbs, part.verbs) &&
    containsAll(rule.apiGroups, part.apiGroups) &&
    part.resources.every((resource) => coversResource(rule.resources, resource)) &&
    (rule.resourceNames.length === 0 ||
      (part.resourceNames.length > 0 && containsAll(rule.resourceNames, part.resourceNames))) &&
    part.nonResourceURLs.every((url) => rule.nonResourceURLs.some((pattern) => urlCovers(pattern, url)))
  );
}

function containsAll(list: readonly string[], values: readonly string[]): boolean {
  return list.includes('*') || values.every((value) => list.includes(value));
}

function coversResource(resources: readonly string[], resource: string): boolean {
  if (resources.includes('*') || resources.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && resources.includes(`*${resource.slice(slash)}`);
}

/** Joins the verbs of split rules that differ by the verb only. URLs stay apart, as on a real server. */
function compact(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...target } = rule;
    const key = JSON.stringify(target.nonResourceURLs.length > 0 ? rule : target);
    joined.set(key, { ...rule, verbs: [...(joined.get(key)?.verbs ?? []), ...verbs] });
  }
  return [...joined.values()];
}

function describeRule(rule: PolicyRule): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const present = parts.filter(([, values]) => values.length > 0);
  return `{${present.map(([name, values]) => `${name}:${quoted(values)}`).join(', ')}}`;
}

/** Returns strings as Go prints a slice of quoted strings. */
export function quoted(values: readonly string[]): string {
  return `[${values.map((value) => JSON.stringify(value)).join(' ')}]`;
}
