/** Errors of declarations: options that API servers refuse, and webhooks that would lock a cluster. */

import { labelKeyProblem, labelRequirements, matchLabels, subdomainProblem } from '@kgen/runtime/selectors';
import type { Operation } from '../declarations/context.ts';
import type { WebhookSelector } from '../declarations/options.ts';
import {
  declarationText,
  type RegisteredAdmission,
  type RegisteredDeclaration,
  subresourceOf,
} from '../declarations/registered.ts';
import { pathOf } from '../declarations/webhook.ts';
import { webhookName } from './names.ts';

/** An error of a declaration. */
export interface RegistrationProblem {
  /** Index of the declaration. */
  readonly declaration: number;
  /** Path below the options, such as `['matchConditions', 0, 'name']`; empty for the whole declaration. */
  readonly path: readonly (string | number)[];
  /** Cause and action. */
  readonly message: string;
}

/** Label of every namespace with its name. */
export const namespaceLabel = 'kubernetes.io/metadata.name';

/** Operations of declarations without the option. */
export const usualOperations: readonly Operation[] = ['CREATE', 'UPDATE'];

/** Subresources whose requests are connects. */
const connects: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward', 'proxy']);

type Found = Omit<RegistrationProblem, 'declaration'>;

/**
 * Returns the errors of declarations, which one server must not serve.
 * @param namespace of the operator; if it is absent, selectors are not compared with it
 */
export function registrationProblems(
  declarations: readonly RegisteredDeclaration[],
  namespace?: string,
): readonly RegistrationProblem[] {
  const found = declarations.flatMap((declaration, index) =>
    problemsOf(declaration, namespace).map((problem) => ({ ...problem, declaration: index })),
  );
  return [...found, ...duplicates(declarations)];
}

/** @throws {TypeError} if declarations have errors */
export function checkDeclarations(declarations: readonly RegisteredDeclaration[], namespace?: string): void {
  const lines = registrationProblems(declarations, namespace).map(({ declaration, message }) => {
    const at = declarations[declaration];
    return at === undefined ? message : `${declarationText(at)}: ${message}`;
  });
  if (lines.length > 0) throw new TypeError(lines.join('\n'));
}

function problemsOf(declaration: RegisteredDeclaration, namespace: string | undefined): readonly Found[] {
  const refused = refusedKind(declaration);
  if (refused !== undefined) return [{ path: [], message: refused }];
  if (declaration.type === 'converts') {
    const { versions } = declaration.options;
    const hub = declaration.resource.version;
    if (!Object.hasOwn(versions, hub)) return [];
    return [
      { path: ['versions', hub], message: `${hub} is the hub: remove it from versions, or name another hub` },
    ];
  }
  return [
    ...optionProblems(declaration),
    ...operationProblems(declaration),
    ...conditionProblems(declaration),
    ...selectorProblems(declaration),
    ...lockouts(declaration, namespace),
  ];
}

/** Reasons for which no webhook of these groups is registered. */
const refusedGroups: ReadonlyMap<string, string> = new Map([
  [
    'admissionregistration.k8s.io',
    'API servers never send webhooks and policies to webhooks: restrict who may write them by RBAC',
  ],
  [
    'authentication.k8s.io',
    'reviews of tokens are part of every login, also of the requests of the webhook itself: remove the webhook',
  ],
  [
    'authorization.k8s.io',
    'reviews of access are part of requests, also of those of the webhook itself: remove the webhook',
  ],
  [
    'coordination.k8s.io',
    'Leases are renewed by every elected component and every node; while the webhook is down, all of them stop: remove the webhook',
  ],
]);

function refusedKind(declaration: RegisteredDeclaration): string | undefined {
  const { group, version, plural } = declaration.resource;
  const names = [group, version, plural, ...subresourceOf(declaration)];
  if (names.some((name) => name.includes('*')))
    return 'a rule of `*` also matches the objects that the webhook needs to start: name each resource';
  if (plural.includes('/')) return 'the resource is a subresource: use the option `subresource`';
  return refusedGroups.get(group);
}

function optionProblems(declaration: RegisteredAdmission): readonly Found[] {
  const { name, timeoutSeconds } = declaration.options;
  const problems = Object.entries(choices).flatMap(([option, allowed]): readonly Found[] => {
    const value: unknown = Reflect.get(declaration.options, option);
    if (value === undefined || allowed.some((each) => each === value)) return [];
    return [
      { path: [option], message: `${option} must be one of ${allowed.join(', ')}, got ${String(value)}` },
    ];
  });
  const isTime =
    timeoutSeconds === undefined ||
    (Number.isInteger(timeoutSeconds) && timeoutSeconds >= 1 && timeoutSeconds <= 30);
  return [
    ...problems,
    ...(name === undefined ? [] : nameProblems(name)),
    ...(isTime
      ? []
      : [
          {
            path: ['timeoutSeconds'],
            message: `timeoutSeconds must be an integer from 1 to 30, got ${timeoutSeconds}`,
          },
        ]),
  ];
}

const choices: Readonly<Record<string, readonly string[]>> = {
  failurePolicy: ['Fail', 'Ignore'],
  matchPolicy: ['Equivalent', 'Exact'],
  reinvocationPolicy: ['Never', 'IfNeeded'],
  sideEffects: ['None', 'NoneOnDryRun'],
};

function nameProblems(name: string): readonly Found[] {
  const problem = subdomainProblem(name);
  if (problem !== undefined)
    return [{ path: ['name'], message: `the name ${JSON.stringify(name)}: ${problem}` }];
  if (name.split('.').length >= 3) return [];
  return [
    {
      path: ['name'],
      message: `the name ${JSON.stringify(name)} must have at least three labels, such as ${name.split('.')[0]}.cache.example.com`,
    },
  ];
}

function operationProblems(declaration: RegisteredAdmission): readonly Found[] {
  const operations: readonly string[] = declaration.options.operations ?? usualOperations;
  const fails = (message: string): readonly Found[] => [{ path: ['operations'], message }];
  if (operations.length === 0) return fails('operations is empty: name one, or remove the option');
  const unknown = operations.find((each) => !['CREATE', 'UPDATE', 'DELETE', 'CONNECT'].includes(each));
  if (unknown !== undefined)
    return fails(
      unknown === '*'
        ? '`*` matches connects and deletions, too: name each operation'
        : `${JSON.stringify(unknown)} is not one of CREATE, UPDATE, DELETE, CONNECT`,
    );
  if (new Set(operations).size < operations.length) return fails('operations contains one of them twice');
  if (declaration.type === 'defaults' && operations.includes('DELETE'))
    return fails('a deletion has no object that could be changed: remove DELETE, or use validates()');
  const [subresource = ''] = subresourceOf(declaration);
  const others = operations.filter((each) => (each === 'CONNECT') !== connects.has(subresource));
  if (others.length === 0) return [];
  return fails(
    connects.has(subresource)
      ? `requests of ${subresource} are connects: operations: ['CONNECT']`
      : 'CONNECT is an operation of attach, exec, portforward and proxy: remove it, or name the subresource',
  );
}

const maxConditions = 64;

function conditionProblems({ options: { matchConditions = [] } }: RegisteredAdmission): readonly Found[] {
  const names = new Set<string>();
  const problems = matchConditions.flatMap(({ name, expression }, index): readonly Found[] => {
    const path = ['matchConditions', index, 'name'];
    const isKnown = names.has(name);
    names.add(name);
    const problem = labelKeyProblem(name);
    if (problem !== undefined) return [{ path, message: `the name ${JSON.stringify(name)}: ${problem}` }];
    if (isKnown) return [{ path, message: `two conditions have the name ${name}: rename one` }];
    if (expression.trim() !== '') return [];
    return [
      { path: ['matchConditions', index, 'expression'], message: 'the expression is empty: write CEL' },
    ];
  });
  if (matchConditions.length <= maxConditions) return problems;
  const message = `API servers accept ${maxConditions} conditions, got ${matchConditions.length}: combine some with &&`;
  return [...problems, { path: ['matchConditions'], message }];
}

function selectorProblems({ options }: RegisteredAdmission): readonly Found[] {
  return (['namespaceSelector', 'objectSelector'] as const).flatMap((option) => {
    const problem = selectorProblem(options[option]);
    return problem === undefined ? [] : [{ path: [option], message: problem }];
  });
}

function selectorProblem(selector: WebhookSelector | undefined): string | undefined {
  try {
    requirementsOf(selector);
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

function requirementsOf({ matchLabels: labels = {}, matchExpressions = [] }: WebhookSelector = {}) {
  return labelRequirements({
    matchLabels: { ...labels },
    matchExpressions: matchExpressions.map(({ key, operator, values }) => ({
      key,
      operator,
      ...(values !== undefined && { values: [...values] }),
    })),
  });
}

/** Cluster-scoped objects that must be written before the webhook can serve. */
const neededObjects: ReadonlyMap<string, string> = new Map([
  ['/nodes', 'no node could register or become ready, on which the webhook could start'],
  [
    'apiextensions.k8s.io/customresourcedefinitions',
    'its own definitions, in which it writes its certificate, could not be changed',
  ],
]);

/** Webhooks with `Fail` that refuse what they need themselves while they are down. */
function lockouts(declaration: RegisteredAdmission, namespace: string | undefined): readonly Found[] {
  const { options, resource } = declaration;
  const { failurePolicy = 'Fail', namespaceSelector } = options;
  if (failurePolicy !== 'Fail') return [];
  const [subresource = ''] = subresourceOf(declaration);
  const key = `${resource.group}/${resource.plural}`;
  if (key === '/pods' && !connects.has(subresource) && namespaceSelector === undefined)
    return [
      {
        path: ['failurePolicy'],
        message:
          "failurePolicy Fail refuses every Pod of the cluster while the webhook is down, also those of the network and of the nodes: add a namespaceSelector (`{}` states that all namespaces are meant), or failurePolicy: 'Ignore'",
      },
    ];
  const reason = neededObjects.get(key);
  if (reason !== undefined && options.objectSelector === undefined)
    return [
      {
        path: ['failurePolicy'],
        message: `failurePolicy Fail: while the webhook is down, ${reason}: add an objectSelector (\`{}\` states that all objects are meant), or failurePolicy: 'Ignore'`,
      },
    ];
  if (!namesNamespaces(namespaceSelector) || resource.builtIn !== true) return [];
  const own = namespace === undefined ? [] : [namespace];
  const selected = ['kube-system', ...own].find((name) => selectsNamespace(namespaceSelector, name));
  if (selected === undefined) return [];
  return [
    {
      path: ['namespaceSelector'],
      message: `the selector contains the namespace ${selected}, whose objects the webhook needs to start: exclude it, or set failurePolicy: 'Ignore'`,
    },
  ];
}

/** Returns whether a selector decides by the names of namespaces. */
export function namesNamespaces(selector: WebhookSelector | undefined): boolean {
  const keys = [
    ...Object.keys(selector?.matchLabels ?? {}),
    ...(selector?.matchExpressions ?? []).map(({ key }) => key),
  ];
  return keys.includes(namespaceLabel);
}

/** Returns whether the requirements on the name of a namespace are met. */
function selectsNamespace(selector: WebhookSelector | undefined, name: string): boolean {
  if (selectorProblem(selector) !== undefined) return false;
  const named = requirementsOf(selector).filter(({ key }) => key === namespaceLabel);
  return matchLabels({ [namespaceLabel]: name }, named);
}

/** Declarations with one name in one configuration, or with one path. */
function duplicates(declarations: readonly RegisteredDeclaration[]): readonly RegistrationProblem[] {
  const seen = new Set<string>();
  return declarations.flatMap((declaration, index): readonly RegistrationProblem[] => {
    const isRepeated = (key: string): boolean => seen.size === seen.add(key).size;
    const problem = (path: RegistrationProblem['path'], message: string): readonly RegistrationProblem[] => [
      { declaration: index, path, message },
    ];
    const text = declarationText(declaration);
    const isPathRepeated = isRepeated(pathOf(declaration));
    if (declaration.type === 'converts')
      return isPathRepeated ? problem([], `${text} is declared twice: combine the versions`) : [];
    const name = webhookName(declaration);
    const isNameRepeated = isRepeated(`${declaration.type} ${name}`);
    const isNamed = declaration.options.name !== undefined;
    if (isPathRepeated && !isNamed)
      return problem(
        [],
        `${text} is declared twice: set the option \`name\` of one, such as other-${name}, or combine the functions`,
      );
    if (!isNameRepeated) return [];
    const action = isNamed ? 'rename one' : 'set the option `name` of one';
    return problem(isNamed ? ['name'] : [], `two webhooks have the name ${name}: ${action}`);
  });
}
