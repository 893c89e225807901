/** Files of the folder `rbac/`: the roles of an operator and of the people who use its resources. Pure. */
import { visible } from '../../../common/problems.ts';
import { byText } from '../../../common/words.ts';
import type { Need } from '../needs.ts';
import { type RolePlaces, type RoleRule, type RoleRules, roleRules } from './rules.ts';

/** A kind for which people receive roles. */
export interface RoleKind {
  readonly group: string;
  /** Name in the roles, in lower case: `rediscluster`. */
  readonly singular: string;
  readonly plural: string;
  /** Whether it has the subresource `scale`. */
  readonly hasScale?: boolean | undefined;
}

/** Options of `rbacFiles`. */
export interface RbacOptions extends Partial<RolePlaces> {
  /** Name of the operator, of its service account and of its roles. */
  readonly name: string;
  /** Kinds of the operator, for the roles of people. Default: none. */
  readonly kinds?: readonly RoleKind[] | undefined;
}

/**
 * Returns the files by their paths: the namespace and service account, the role with its bindings, the role
 * of the leader election, and the roles of people. Equal inputs have equal bytes.
 * @throws {TypeError} if a name is not one of Kubernetes
 */
export function rbacFiles(needs: readonly Need[], options: RbacOptions): ReadonlyMap<string, string> {
  const { name, namespace = name, watchNamespaces, kinds = [] } = options;
  for (const each of [name, namespace, ...(watchNamespaces ?? [])]) checkName(each);
  for (const { singular, plural, group } of kinds) {
    for (const each of [singular, plural]) checkName(each);
    if (!groupForm.test(group)) throw new TypeError(`${JSON.stringify(group)} is not the name of a group`);
  }
  const isElection = ({ scope, group, resource }: Need): boolean =>
    scope.type === 'own' && group === 'coordination.k8s.io' && resource === 'leases';
  const places = { namespace, watchNamespaces };
  const subject = { name, namespace };
  const files = new Map<string, string>();
  const put = (path: string, documents: readonly string[]): void => {
    if (documents.length > 0) files.set(`rbac/${path}`, [header, documents.join('---\n')].join(''));
  };
  put('account.yaml', [namespaceText(namespace), accountText(subject)]);
  const elections = roleRules(needs.filter(isElection), places);
  put('leader-election.yaml', rolesText(`${name}-leader-election`, elections, subject, true));
  const roles = roleRules(
    needs.filter((need) => !isElection(need)),
    places,
  );
  put('role.yaml', rolesText(name, roles, subject, false));
  put(
    'role-binding.yaml',
    roles.map((role) => bindingText(name, role, subject)),
  );
  for (const kind of [...kinds].sort((a, b) => byText(a.singular, b.singular) || byText(a.group, b.group)))
    put(`people-${kind.singular}.${kind.group}.yaml`, peopleTexts(kind));
  return files;
}

const header = '# Written by kgen from the program. Comments name the places that need a rule.\n';
const groupForm = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const nameForm = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

function checkName(name: string): void {
  if (!nameForm.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a name of Kubernetes`);
}

interface Subject {
  readonly name: string;
  readonly namespace: string;
}

function namespaceText(namespace: string): string {
  return `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${namespace}\n`;
}

function accountText({ name, namespace }: Subject): string {
  return `apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\n`;
}

function rolesText(
  name: string,
  roles: readonly RoleRules[],
  subject: Subject,
  withBindings: boolean,
): readonly string[] {
  return roles.flatMap((role) => [
    roleText({ kind: kindOf(role), name, namespace: role.namespace }, role.rules),
    ...(withBindings ? [bindingText(name, role, subject)] : []),
  ]);
}

const kindOf = ({ namespace }: RoleRules): string => (namespace === undefined ? 'ClusterRole' : 'Role');

interface RoleIdentity {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly labels?: readonly string[];
}

const api = 'rbac.authorization.k8s.io';

function roleText(identity: RoleIdentity, rules: readonly RoleRule[]): string {
  return `${metadataText(identity)}rules:\n${rules.map(ruleText).join('')}`;
}

function metadataText({ kind, name, namespace, labels = [] }: RoleIdentity): string {
  const place = namespace === undefined ? '' : `  namespace: ${namespace}\n`;
  const lines = labels.map((label) => `    ${label}: "true"\n`).join('');
  const labelled = lines === '' ? '' : `  labels:\n${lines}`;
  return `apiVersion: ${api}/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${place}${labelled}`;
}

function ruleText({ groups, resources, names, verbs, neededBy }: RoleRule): string {
  const comments = neededBy.map((place) => `  # ${visible(place)}\n`).join('');
  const named = names.length === 0 ? '' : `    resourceNames: ${list(names)}\n`;
  return `${comments}  - apiGroups: ${list(groups)}\n    resources: ${list(resources)}\n${named}    verbs: ${list(verbs)}\n`;
}

/** Words are plain; other texts, such as numbers and `*`, are quoted. */
function list(values: readonly string[]): string {
  const words = values.map((value) =>
    /^[a-z][a-z0-9./-]*$/.test(value) && !yamlWords.has(value) ? value : JSON.stringify(value),
  );
  return `[${words.join(', ')}]`;
}

/** Words that are not strings in YAML. */
const yamlWords: ReadonlySet<string> = new Set(['y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null']);

function bindingText(name: string, role: RoleRules, subject: Subject): string {
  const kind = kindOf(role);
  return `${metadataText({ kind: `${kind}Binding`, name, namespace: role.namespace })}roleRef:
  apiGroup: ${api}
  kind: ${kind}
  name: ${name}
subjects:
  - kind: ServiceAccount
    name: ${subject.name}
    namespace: ${subject.namespace}
`;
}

/** Roles that Kubernetes adds to its own ones for namespaces: `admin`, `edit` and `view`. */
function peopleTexts({ group, singular, plural, hasScale = false }: RoleKind): readonly string[] {
  const read = ['get', 'list', 'watch'];
  const write = ['create', 'delete', 'patch', 'update'];
  const scale = hasScale ? [rule(`${plural}/scale`, ['get', 'patch', 'update'])] : [];
  const roles = [
    [
      'admin',
      'admin',
      [
        rule(plural, [...read, ...write, 'deletecollection']),
        rule(`${plural}/status`, ['get', 'patch', 'update']),
        ...scale,
      ],
    ],
    ['editor', 'edit', [rule(plural, [...read, ...write]), rule(`${plural}/status`, ['get']), ...scale]],
    ['viewer', 'view', [rule(plural, read), rule(`${plural}/status`, ['get'])]],
  ] as const;
  function rule(resource: string, verbs: readonly string[]): RoleRule {
    return {
      groups: [group],
      resources: [resource],
      names: [],
      verbs: [...verbs].sort(byText),
      neededBy: [],
    };
  }
  return roles.map(([role, aggregated, rules]) =>
    roleText(
      { kind: 'ClusterRole', name: `${singular}-${role}`, labels: [`${api}/aggregate-to-${aggregated}`] },
      rules,
    ),
  );
}
