/** Rules of roles, merged from the needs of a program. */
import { byText } from '../../../common/words.ts';
import { type Need, type NeedScope, needPlace, sortedNeeds } from '../needs.ts';

/** A rule of a role, with the places that need it. */
export interface RoleRule {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  /** Empty: all objects. */
  readonly names: readonly string[];
  readonly verbs: readonly string[];
  /** `src/operator.ts:12 apply`, sorted. */
  readonly neededBy: readonly string[];
}

/** Rules of one role. */
export interface RoleRules {
  /** Namespace of a Role; `undefined` for a ClusterRole. */
  readonly namespace: string | undefined;
  readonly rules: readonly RoleRule[];
}

/** Namespaces of a deployment. */
export interface RolePlaces {
  /** Namespace of the operator. */
  readonly namespace: string;
  /** Namespaces that the operator watches, where the program does not name them. Default: all. */
  readonly watchNamespaces?: readonly string[] | undefined;
}

/**
 * Returns the rules of each role: that of the cluster first, then those of namespaces. A Role has no verbs
 * that the ClusterRole has.
 */
export function roleRules(needs: readonly Need[], places: RolePlaces): readonly RoleRules[] {
  const byPlace = new Map<string | undefined, Need[]>();
  for (const need of sortedNeeds(needs)) {
    for (const namespace of namespacesOf(need.scope, places)) {
      const known = byPlace.get(namespace);
      if (known === undefined) byPlace.set(namespace, [need]);
      else known.push(need);
    }
  }
  const inCluster = byPlace.get(undefined) ?? [];
  const namespaces = [...byPlace.keys()].filter((each) => each !== undefined).sort(byText);
  const roles = [
    { namespace: undefined, rules: mergedRules(inCluster) },
    ...namespaces.map((namespace) => ({
      namespace,
      rules: mergedRules(byPlace.get(namespace) ?? [], inCluster),
    })),
  ];
  return roles.filter(({ rules }) => rules.length > 0);
}

function namespacesOf(
  scope: NeedScope,
  { namespace, watchNamespaces }: RolePlaces,
): readonly (string | undefined)[] {
  if (scope.type === 'cluster') return [undefined];
  if (scope.type === 'own') return [namespace];
  return scope.type === 'watched' ? (watchNamespaces ?? [undefined]) : [scope.name];
}

/**
 * Unites the verbs of each resource, and then the resources and groups of equal verbs, as controller-gen
 * does.
 * @param granted needs whose verbs another role grants
 */
function mergedRules(needs: readonly Need[], granted: readonly Need[] = []): readonly RoleRule[] {
  const united = new Map<string, RoleRule>();
  const isGranted = grantedVerbs(needs, granted);
  for (const need of needs) {
    const verbs = need.verbs.filter((verb) => !isGranted(need, verb));
    if (verbs.length === 0) continue;
    const { group, resource, names } = need;
    const key = JSON.stringify([group, resource, names]);
    const rule = { groups: [group], resources: [resource], names, verbs, neededBy: [neededBy(need)] };
    const known = united.get(key);
    united.set(key, known === undefined ? rule : union(known, rule));
  }
  const simple = [...united.values()].map((rule) =>
    rule.verbs.includes('*') ? { ...rule, verbs: ['*'] } : rule,
  );
  const byResource = mergedBy(simple, ({ groups, names, verbs }) => [groups, names, verbs]);
  const byGroup = mergedBy(byResource, ({ resources, names, verbs }) => [resources, names, verbs]);
  return [...byGroup].sort((a, b) => byText(JSON.stringify(a), JSON.stringify(b)));
}

/** A rule without names, or one of another role, makes a rule with names unnecessary. */
function grantedVerbs(
  needs: readonly Need[],
  granted: readonly Need[],
): (need: Need, verb: string) => boolean {
  const keyOf = ({ group, resource }: Need, verb: string): string => JSON.stringify([group, resource, verb]);
  const keysOf = (all: readonly Need[]): ReadonlySet<string> =>
    new Set(
      all
        .filter(({ names }) => names.length === 0)
        .flatMap((need) => need.verbs.map((verb) => keyOf(need, verb))),
    );
  const [here, elsewhere] = [keysOf(needs), keysOf(granted)];
  return (need, verb) => {
    const key = keyOf(need, verb);
    return elsewhere.has(key) || (need.names.length > 0 && here.has(key));
  };
}

function neededBy(need: Need): string {
  return `${needPlace(need)} ${need.reason}`;
}

function mergedBy(rules: readonly RoleRule[], keyOf: (rule: RoleRule) => unknown): readonly RoleRule[] {
  const merged = new Map<string, RoleRule>();
  for (const rule of rules) {
    const key = JSON.stringify(keyOf(rule));
    const known = merged.get(key);
    merged.set(key, known === undefined ? rule : union(known, rule));
  }
  return [...merged.values()];
}

function union(a: RoleRule, b: RoleRule): RoleRule {
  return {
    groups: sortedUnion(a.groups, b.groups),
    resources: sortedUnion(a.resources, b.resources),
    names: sortedUnion(a.names, b.names),
    verbs: sortedUnion(a.verbs, b.verbs),
    neededBy: [...new Set([...a.neededBy, ...b.neededBy])],
  };
}

function sortedUnion(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])].sort(byText);
}
