/**
 * Classification of requests by FlowSchemas: API Priority and Fairness without its queues.
 * @see https://kubernetes.io/docs/concepts/cluster-administration/flow-control/
 */
import { array, isObject, type Json, type JsonObject, own, strings, text } from '@kgen/schema/values/json';
import { accountOf, type User } from '../identity/user.ts';
import type { Attributes } from '../request/attributes.ts';
import type { Snapshot, Store } from '../store/store.ts';

const group = 'flowcontrol.apiserver.k8s.io';

/** Keys of the kinds in the store. */
export const flowStorage = {
  schemas: `flowschemas.${group}`,
  levels: `prioritylevelconfigurations.${group}`,
};

/** Headers of a response that name the FlowSchema and the priority level of its request. */
export type FlowHeaders = Readonly<Record<string, string>>;

/** Returns the headers of a request. Streams other than watches are not classified. */
export function flowHeaders(store: Store, attributes: Attributes): FlowHeaders {
  if (attributes.verb === 'proxy' || streams.has(attributes.subresource)) return {};
  for (const schema of inOrder(store.list(flowStorage.schemas))) {
    const level = store.get(flowStorage.levels, levelOf(schema));
    if (level === undefined || !array(schema, 'spec', 'rules').some((rule) => matches(rule, attributes)))
      continue;
    return {
      'X-Kubernetes-Pf-Flowschema-Uid': text(schema, 'metadata', 'uid'),
      'X-Kubernetes-Pf-Prioritylevel-Uid': text(level, 'metadata', 'uid'),
    };
  }
  return {};
}

const streams: ReadonlySet<string> = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Returns the name of the priority level to which a FlowSchema refers. */
export function levelOf(schema: JsonObject): string {
  return text(schema, 'spec', 'priorityLevelConfiguration', 'name');
}

/** Schemas in the order in which they are tried. Equal lists are those of unchanged collections. */
const ordered = new WeakMap<Snapshot, readonly JsonObject[]>();

function inOrder(listed: Snapshot): readonly JsonObject[] {
  const known = ordered.get(listed);
  if (known !== undefined) return known;
  // The list is in the order of names.
  const sorted = listed.map(([, schema]) => schema).toSorted((a, b) => precedence(a) - precedence(b));
  ordered.set(listed, sorted);
  return sorted;
}

function precedence(schema: JsonObject): number {
  return Number(own(own(schema, 'spec'), 'matchingPrecedence') ?? 0);
}

function matches(rule: Json, attributes: Attributes): boolean {
  if (!array(rule, 'subjects').some((subject) => isSubject(subject, attributes.user))) return false;
  const { path } = attributes;
  return path === undefined
    ? array(rule, 'resourceRules').some((each) => concernsResource(each, attributes))
    : array(rule, 'nonResourceRules').some((each) => concernsPath(each, attributes.verb, path));
}

function isSubject(subject: Json, user: User): boolean {
  switch (text(subject, 'kind')) {
    case 'User':
      return ['*', user.name].includes(text(subject, 'user', 'name'));
    case 'Group': {
      const name = text(subject, 'group', 'name');
      return name === '*' || user.groups.includes(name);
    }
    case 'ServiceAccount': {
      const account = accountOf(user.name);
      const name = text(subject, 'serviceAccount', 'name');
      return (
        account?.namespace === text(subject, 'serviceAccount', 'namespace') &&
        (name === '*' || name === account?.name)
      );
    }
    default:
      return false;
  }
}

function concernsResource(rule: Json, attributes: Attributes): boolean {
  const { verb, group: apiGroup, resource, subresource, namespace } = attributes;
  return (
    includes(rule, 'verbs', verb) &&
    includes(rule, 'resources', subresource === '' ? resource : `${resource}/${subresource}`) &&
    includes(rule, 'apiGroups', apiGroup) &&
    (namespace === ''
      ? isObject(rule) && own(rule, 'clusterScope') === true
      : includes(rule, 'namespaces', namespace))
  );
}

function concernsPath(rule: Json, verb: string, path: string): boolean {
  return (
    includes(rule, 'verbs', verb) &&
    strings(rule, 'nonResourceURLs').some((pattern) => {
      const prefix = pattern.replace(/\*$/, '').replace(/\/?$/, '/');
      return pattern === '*' || pattern === path || path.startsWith(prefix);
    })
  );
}

function includes(rule: Json, member: string, value: string): boolean {
  const values = strings(rule, member);
  return values.includes(value) || (values.length === 1 && values[0] === '*');
}

/** Concurrent requests of a real server, which its priority levels share. */
const allSeats = 600;

/** Returns the numbers of concurrent requests of the priority levels, as a real server computes them. */
export function nominalSeats(store: Store): readonly (readonly [level: string, seats: number])[] {
  const shares = store
    .list(flowStorage.levels)
    .map(([name, level]) => [name, sharesOf(own(level, 'spec'))] as const);
  const sum = shares.reduce((total, [, each]) => total + each, 0);
  return shares.map(([name, each]) => [name, sum === 0 ? 0 : Math.ceil((allSeats * each) / sum)]);
}

function sharesOf(spec: Json | undefined): number {
  const limits = own(spec, text(spec, 'type') === 'Exempt' ? 'exempt' : 'limited');
  return Number(own(limits, 'nominalConcurrencyShares') ?? 0);
}
