/** Comparison of the rules of a service account with the permissions that its requests needed. */
import { isObject, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { accountUser, type ServiceAccountName } from '../identity/user.ts';
import type { Need } from '../request/needs.ts';
import type { Store } from '../store/store.ts';
import { split } from './escalation.ts';
import { grantsOf } from './rbac.ts';
import { roleStorage, storedRoles } from './roles.ts';
import { type PolicyRule, ruleAllows } from './rules.ts';

/** An action on a resource, or on a path without a resource. */
export interface PermissionTarget {
  readonly verb: string;
  /** API group; empty for the core group. */
  readonly group: string;
  /** Plural name, with the subresource if there is one: `deployments/status`. Empty for a path. */
  readonly resource: string;
  /** Name of the object; empty for all objects, and for collections. */
  readonly name: string;
  /** Path without a resource, such as `/metrics`; otherwise empty. */
  readonly path: string;
}

/** A rule of a Role or ClusterRole, as in its manifest. */
export type PermissionRule =
  | {
      readonly apiGroups: readonly string[];
      readonly resources: readonly string[];
      readonly verbs: readonly string[];
    }
  | { readonly nonResourceURLs: readonly string[]; readonly verbs: readonly string[] };

/** Requests with one verb, resource and namespace that no rule allowed. */
export interface ForbiddenRequest extends PermissionTarget {
  /** Namespace; empty for requests across all namespaces, and for cluster-scoped kinds. */
  readonly namespace: string;
  /** Reason of the check, if the action is not that of the request itself; otherwise empty. */
  readonly purpose: string;
  /** Number of requests. */
  readonly count: number;
  /** `User-Agent` of the first request. */
  readonly userAgent: string;
  /** Line of the program that has sent the first request; empty if it is not known. */
  readonly site: string;
  /** A rule that would allow the requests. */
  readonly rule: PermissionRule;
}

/** One verb of one resource in a rule, which no request needed. */
export interface UnusedRule extends PermissionTarget {
  /** The role with its kind: `Role shop/operator`, `ClusterRole operator`. */
  readonly role: string;
}

/** The requests of a service account, compared with the rules of its roles. */
export interface PermissionReport {
  /** The service account, as `namespace/name`. */
  readonly account: string;
  /** Requests that no rule allowed, in the order of the first of each kind. */
  readonly forbidden: readonly ForbiddenRequest[];
  /** Verbs of rules that no request needed, in the order of the rules. */
  readonly unused: readonly UnusedRule[];
  /** Returns the report as lines. */
  print(): string;
  /**
   * Asserts that rules allowed all requests. Unused rules are a process warning, or with `strict` an error.
   * Default of `strict`: false.
   * @throws {Error} with the lines of the report
   */
  expect(options?: { readonly strict?: boolean }): void;
}

/** A role that is bound to an account. */
export interface BoundRole {
  /** Its kind and name. */
  readonly role: string;
  /** Namespaces in which it applies; the empty one stands for the whole cluster. */
  readonly scopes: readonly string[];
  readonly rules: readonly PolicyRule[];
}

/**
 * Returns the roles that are bound to an account, without those that every cluster has: their permissions are
 * not the choice of an author.
 */
export function boundRoles(store: Store, account: ServiceAccountName): readonly BoundRole[] {
  const source = storedRoles(store);
  const namespaces = store.list(roleStorage.roleBindings).map(([key]) => key.split('/')[0] ?? '');
  const roles = new Map<string, BoundRole>();
  for (const scope of ['', ...new Set(namespaces)]) {
    for (const { binding, namespace, rules } of grantsOf(source, accountUser(account), scope)) {
      const reference = object(binding, 'roleRef');
      const [kind, name] = [text(reference, 'kind'), text(reference, 'name')];
      const home = kind === 'Role' ? scope : '';
      if (namespace !== scope || isDefault(source.role(home, name))) continue;
      const role = `${kind} ${home === '' ? '' : `${home}/`}${name}`;
      const { scopes = [] } = roles.get(role) ?? {};
      roles.set(role, { role, scopes: [...new Set([...scopes, scope])], rules });
    }
  }
  return [...roles.values()];
}

function isDefault(role: JsonObject | undefined): boolean {
  const labels = own(object(role, 'metadata'), 'labels');
  return isObject(labels) && own(labels, 'kubernetes.io/bootstrapping') === 'rbac-defaults';
}

/** Compares the roles of an account with its needs. */
export function permissionReport(
  { namespace, name }: ServiceAccountName,
  roles: readonly BoundRole[],
  needs: readonly Need[],
): PermissionReport {
  const account = `${namespace}/${name}`;
  const [forbidden, unused] = [forbiddenIn(needs), unusedIn(roles, needs)];
  const title = (lines: readonly string[]): string =>
    `ServiceAccount ${account}: ${forbidden.length} forbidden, ${unused.length} unused\n${lines.join('\n')}`;
  const lines = [...forbidden.map(forbiddenText), ...unused.map((rule) => `unused: ${unusedText(rule)}`)];
  return {
    account,
    forbidden,
    unused,
    print: () => title(lines),
    expect: ({ strict = false } = {}) => {
      if (forbidden.length > 0 || (strict && unused.length > 0)) throw new Error(title(lines));
      if (unused.length > 0) process.emitWarning(title(lines), 'TestServerWarning');
    },
  };
}

/** Returns lines about forbidden requests, with the rules that would allow them; none if there are none. */
export function forbiddenLines(needs: readonly Need[]): readonly string[] {
  return forbiddenIn(needs).map(forbiddenText);
}

function forbiddenIn(needs: readonly Need[]): readonly ForbiddenRequest[] {
  const found = new Map<string, ForbiddenRequest>();
  for (const need of needs.filter(({ isAllowed }) => !isAllowed)) {
    const { verb, group, name, namespace, path = '', purpose, count, userAgent, site } = need;
    const resource = need.subresource === '' ? need.resource : `${need.resource}/${need.subresource}`;
    const key = JSON.stringify([verb, group, resource, namespace, path, purpose]);
    const known = found.get(key);
    const rule =
      path === ''
        ? { apiGroups: [group], resources: [resource], verbs: [verb] }
        : { nonResourceURLs: [path], verbs: [verb] };
    const first = { verb, group, resource, name, path, namespace, purpose, userAgent, site, rule };
    found.set(key, { ...(known ?? first), count: (known?.count ?? 0) + count });
  }
  return [...found.values()];
}

/** A rule with one verb, and one resource and name or one path. */
interface Part extends Pick<BoundRole, 'role' | 'scopes'> {
  readonly rule: PolicyRule;
}

/** Of several parts that allow a request, only the narrowest counts: the others could be removed. */
function unusedIn(roles: readonly BoundRole[], needs: readonly Need[]): readonly UnusedRule[] {
  const parts = distinct(
    roles.flatMap(({ rules, ...role }) => rules.flatMap(split).map((rule) => ({ ...role, rule }))),
  );
  const choices = needs
    .filter(({ isAllowed }) => isAllowed)
    .map((need) => parts.filter((part) => allows(part, need)))
    .sort((a, b) => a.length - b.length);
  const used = new Set<Part>();
  for (const choice of choices) {
    const [first, ...others] = choice;
    if (first === undefined || choice.some((part) => used.has(part))) continue;
    used.add(others.reduce((best, part) => (breadth(part) < breadth(best) ? part : best), first));
  }
  return parts.filter((part) => !used.has(part)).map(unusedRule);
}

function distinct(parts: readonly Part[]): readonly Part[] {
  return [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
}

function allows({ scopes, rule }: Part, need: Need): boolean {
  return (scopes.includes('') || scopes.includes(need.namespace)) && ruleAllows(rule, need);
}

/** Returns a number that is higher for parts that allow more. */
function breadth({ scopes, rule }: Part): number {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const all = [...verbs, ...apiGroups, ...resources, ...nonResourceURLs];
  const wildcards = all.filter((value) => value.includes('*')).length;
  return wildcards * 4 + (scopes.includes('') ? 2 : 0) + (resourceNames.length === 0 ? 1 : 0);
}

function unusedRule({ role, rule }: Part): UnusedRule {
  const [verb = ''] = rule.verbs;
  const [group = ''] = rule.apiGroups;
  const [resource = ''] = rule.resources;
  const [name = ''] = rule.resourceNames;
  const [path = ''] = rule.nonResourceURLs;
  return { role, verb, group, resource, name, path };
}

/** Returns a line and the rule that would allow them for forbidden requests. */
function forbiddenText(request: ForbiddenRequest): string {
  const { namespace, purpose, count, userAgent, site, rule } = request;
  const scope = namespace === '' ? '' : ` in namespace ${namespace}`;
  const origin = site === '' ? (userAgent === '' ? '' : ` by ${userAgent}`) : ` at ${site}`;
  const members = Object.entries(rule).map(([key, values]) => `${key}: ${JSON.stringify(values)}`);
  const place = namespace === '' ? 'ClusterRole' : `Role of ${namespace}, or a ClusterRole`;
  const reason = purpose === '' ? '' : `, ${purpose}`;
  return (
    `forbidden: ${targetText(request)}${scope}, ${count} ${count === 1 ? 'time' : 'times'}${origin}${reason}\n` +
    `  allowed by {${members.join(', ')}} in a ${place}`
  );
}

/** Returns an unused rule as `Role shop/operator: get secrets`. */
export function unusedText(rule: UnusedRule): string {
  return `${rule.role}: ${targetText(rule)}`;
}

/** Returns a target as `patch deployments.apps/status web`. */
function targetText({ verb, group, resource, name, path }: PermissionTarget): string {
  const [plural = '', ...subresource] = resource.split('/');
  const qualified = [group === '' ? plural : `${plural}.${group}`, ...subresource].join('/');
  return [verb, path === '' ? qualified : path, name].filter((part) => part !== '').join(' ');
}
