/** Kinds of networking, discovery and policy. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import {
  array,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
  strings,
  text,
} from '@kgen/schema/values/json';
import type { Store } from '../../store/store.ts';
import { endpointSlices, ipAddresses, serviceCidrs } from './services/address-kinds.ts';
import {
  below,
  type Check,
  each,
  immutable,
  listed,
  members,
  named,
  nonNegative,
  oneOf,
  optional,
  valid,
  whole,
} from './support/checks.ts';
import { fill } from './support/fill.ts';
import {
  domainPathErrors,
  isAddress,
  isSubset,
  labelProblem,
  networkProblem,
  pathSegmentProblem,
  portNameProblems,
  subdomainProblem,
} from './support/names.ts';
import type { KindRules } from './support/rules.ts';
import { selector } from './support/selectors.ts';

const backend: Check = whole((value, path) => {
  const [service, resource] = [own(value, 'service'), own(value, 'resource')];
  if (isObject(service) && isObject(resource))
    return [invalidValue(path, '', 'cannot set both resource and service backends')];
  if (isObject(resource)) return [];
  if (!isObject(service)) return [invalidValue(path, '', 'resource or service backend is required')];
  return serviceBackend(service, below(path, 'service'), path);
});

function serviceBackend(service: JsonObject, path: string, owner: string): readonly FieldError[] {
  const [name, port] = [text(service, 'name'), object(service, 'port')];
  const [number, portName] = [Number(own(port, 'number') ?? 0), text(port, 'name')];
  const at = below(path, 'port');
  return [
    ...named(labelProblem)(name, below(path, 'name')),
    ...(number !== 0 && portName !== ''
      ? [invalidValue(at, '', 'cannot set both port name & port number')]
      : []),
    ...(number === 0 && portName === '' ? [required(owner, 'port name or number is required')] : []),
    ...(portName === '' ? [] : valid(portNameProblems)(portName, below(at, 'name'))),
    ...(number === 0 || (number > 0 && number < 65_536)
      ? []
      : [invalidValue(below(at, 'number'), number, 'must be between 1 and 65535, inclusive')]),
  ];
}

const ingressPath: Check = whole((value, path) => {
  const [type, own_] = [own(value, 'pathType'), text(value, 'path')];
  const at = below(path, 'path');
  if (type === undefined || type === null)
    return [required(below(path, 'pathType'), 'pathType must be specified')];
  return [
    ...(['Exact', 'ImplementationSpecific', 'Prefix'].includes(String(type))
      ? []
      : [notSupported(below(path, 'pathType'), type, ['Exact', 'ImplementationSpecific', 'Prefix'])]),
    ...(['Exact', 'Prefix'].includes(String(type)) && !own_.startsWith('/')
      ? [invalidValue(at, own_, 'must be an absolute path')]
      : []),
    ...backend(own(value, 'backend'), below(path, 'backend')),
  ];
});

const ingressHost: Check = (value, path) =>
  isAddress(String(value ?? ''))
    ? [invalidValue(path, value ?? '', 'must be a DNS name, not an IP address')]
    : valid(hostProblem)(value, path);

function hostProblem(host: string): string | undefined {
  return host === '' ? undefined : tlsHostProblem(host);
}

function tlsHostProblem(host: string): string | undefined {
  if (!host.includes('*')) return subdomainProblem(host);
  return host.startsWith('*.') && subdomainProblem(host.slice(2)) === undefined
    ? undefined
    : "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
}

const ingressSpec: Check = whole((value, path) => {
  const rules = array(value, 'rules');
  const isEmpty = rules.length === 0 && !isObject(own(value, 'defaultBackend'));
  return [
    ...each(
      members({
        host: ingressHost,
        http: optional(
          members({
            paths: (paths, at) => (array(paths).length === 0 ? [required(at)] : each(ingressPath)(paths, at)),
          }),
        ),
      }),
    )(rules, below(path, 'rules')),
    ...(isEmpty ? [invalidValue(path, null, 'either `defaultBackend` or `rules` must be specified')] : []),
    ...optional(backend)(own(value, 'defaultBackend'), below(path, 'defaultBackend')),
    ...each(members({ hosts: each(valid(tlsHostProblem)) }))(own(value, 'tls'), below(path, 'tls')),
    ...optional(valid(subdomainProblem))(own(value, 'ingressClassName'), below(path, 'ingressClassName')),
  ];
});

const oldClass = 'kubernetes.io/ingress.class';
const defaultClass = 'ingressclass.kubernetes.io/is-default-class';

const ingresses: KindRules = {
  generation: true,
  admit: (value, old, { store }) => (old === undefined ? withDefaultClass(value, store) : value),
  warnings: (value, old) =>
    old === undefined && own(object(value, 'metadata', 'annotations'), oldClass) !== undefined
      ? [`annotation "${oldClass}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [],
  defaults: (value) => putAt(value, ['status', 'loadBalancer'], object(value, 'status', 'loadBalancer')),
  check: (value) => ingressSpec(own(value, 'spec'), 'spec'),
};

/** The admission plugin DefaultIngressClass: the newest class that is marked as the default. */
function withDefaultClass(value: JsonObject, store: Store): JsonObject {
  const named = own(object(value, 'spec'), 'ingressClassName') ?? null;
  if (named !== null || own(object(value, 'metadata', 'annotations'), oldClass) !== undefined) return value;
  // The list is in the order of names, of which the first is preferred.
  const [newest] = store
    .list('ingressclasses.networking.k8s.io')
    .filter(([, each]) => text(each, 'metadata', 'annotations', defaultClass) === 'true')
    .map(([name, each]) => ({ name, created: text(each, 'metadata', 'creationTimestamp') }))
    .sort((a, b) => (a.created === b.created ? 0 : a.created < b.created ? 1 : -1));
  return newest === undefined ? value : putAt(value, ['spec', 'ingressClassName'], newest.name);
}

const protocolNames = ['TCP', 'UDP', 'SCTP'];

const portNumber: Check = (value, path) =>
  typeof value === 'number' && value > 0 && value < 65_536
    ? []
    : [invalidValue(path, value ?? 0, 'must be between 1 and 65535, inclusive')];

const policyPort: Check = whole((value, path) => {
  const [protocol, port, endPort] = ['protocol', 'port', 'endPort'].map((name) => own(value, name));
  const end = below(path, 'endPort');
  const refusedEnd = (problem: string) => (endPort == null ? [] : [invalidValue(end, endPort, problem)]);
  const isKnown = protocol == null || protocolNames.some((name) => name === protocol);
  const protocols = isKnown ? [] : [notSupported(below(path, 'protocol'), protocol, protocolNames)];
  if (port == null) return [...protocols, ...refusedEnd('may not be specified when `port` is not specified')];
  const ports = typeof port === 'string' ? valid(portNameProblems) : portNumber;
  const problems = [...protocols, ...ports(port, below(path, 'port'))];
  if (typeof port !== 'number' || typeof endPort !== 'number')
    return [...refusedEnd('may not be specified when `port` is non-numeric'), ...problems];
  const order = endPort < port ? [invalidValue(end, port, 'must be greater than or equal to `port`')] : [];
  return [...problems, ...order, ...portNumber(endPort, end)];
});

const networkRange = named(networkProblem);

const ipBlock: Check = whole((value, path) => {
  const cidr = text(value, 'cidr');
  const errors = networkRange(cidr, below(path, 'cidr'));
  if (errors.length > 0) return errors;
  return array(value, 'except').flatMap((item, index) => {
    const at = `${below(path, 'except')}[${index}]`;
    const invalid = valid(networkProblem)(item, at);
    if (invalid.length > 0) return invalid;
    return isSubset(String(item), cidr) ? [] : [invalidValue(at, item, 'must be a strict subset of `cidr`')];
  });
});

const peer: Check = whole((value, path) => {
  const given = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((key) => isObject(own(value, key)));
  if (given.length === 0) return [required(path, 'must specify a peer')];
  return [
    ...(given.includes('ipBlock') && given.length > 1
      ? [forbiddenField(path, 'may not specify both ipBlock and another peer')]
      : []),
    ...members({ podSelector: selector, namespaceSelector: selector, ipBlock: optional(ipBlock) })(
      value,
      path,
    ),
  ];
});

const policyTypes: Check = (value, path) => {
  const types = strings(value);
  if (types.length > 2)
    return [invalidValue(path, value ?? null, 'may not specify more than two policyTypes')];
  return each(listed('Ingress', 'Egress'))(value, path);
};

const networkPolicies: KindRules = {
  generation: true,
  defaults: (value) => {
    const rule = { each: { ports: { when: (port: JsonObject) => ({ protocol: 'TCP', ...port }) } } };
    const filled = fill(value, { in: { spec: { each: { ingress: rule, egress: rule } } } });
    if (array(filled, 'spec', 'policyTypes').length > 0) return filled;
    const hasEgress = own(object(filled, 'spec'), 'egress') !== undefined;
    return putAt(filled, ['spec', 'policyTypes'], ['Ingress', ...(hasEgress ? ['Egress'] : [])]);
  },
  check: members({
    spec: members({
      podSelector: selector,
      ingress: each(members({ ports: each(policyPort), from: each(peer) })),
      egress: each(members({ ports: each(policyPort), to: each(peer) })),
      policyTypes,
    }),
  }),
};

const ingressClasses: KindRules = {
  generation: true,
  defaults: (value) => fill(value, { in: { spec: { in: { parameters: { set: { scope: 'Cluster' } } } } } }),
  check: members({
    spec: members({
      controller: (value, path) => domainPathErrors(String(value ?? ''), path),
      parameters: optional(
        members({
          apiGroup: optional(valid(subdomainProblem)),
          kind: named(pathSegmentProblem),
          name: named(pathSegmentProblem),
        }),
      ),
    }),
  }),
  checkUpdate: ({ value, old }) =>
    immutable('spec.controller', text(value, 'spec', 'controller'), text(old, 'spec', 'controller')),
};

const amount: Check = (value, path) => {
  if (typeof value === 'number' && value < 0)
    return [invalidValue(path, value, 'must be greater than or equal to 0')];
  if (typeof value !== 'string') return [];
  if (!/^[0-9]+%$/.test(value)) {
    return [
      invalidValue(
        path,
        value,
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      ),
    ];
  }
  return Number.parseInt(value, 10) > 100 ? [invalidValue(path, value, 'must not be greater than 100%')] : [];
};

const budgetSpec: Check = whole((value, path) => {
  const [available, unavailable] = [own(value, 'minAvailable'), own(value, 'maxUnavailable')];
  return [
    ...(available !== undefined && unavailable !== undefined
      ? [invalidValue(path, printBudget(value), 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...amount(available, below(path, 'minAvailable')),
    ...amount(unavailable, below(path, 'maxUnavailable')),
    ...optional(selector)(own(value, 'selector'), below(path, 'selector')),
    ...optional(oneOf('AlwaysAllow', 'IfHealthyBudget'))(
      own(value, 'unhealthyPodEvictionPolicy'),
      below(path, 'unhealthyPodEvictionPolicy'),
    ),
  ];
});

/** The server prints its internal type as the value. */
function printBudget(value: JsonObject): Json {
  return {
    MinAvailable: own(value, 'minAvailable') ?? null,
    Selector: own(value, 'selector') ?? null,
    MaxUnavailable: own(value, 'maxUnavailable') ?? null,
    UnhealthyPodEvictionPolicy: own(value, 'unhealthyPodEvictionPolicy') ?? null,
  };
}

const budgets: KindRules = {
  name: pathSegmentProblem,
  metadataLast: true,
  generation: true,
  unconditionalUpdate: false,
  check: (value) => budgetSpec(own(value, 'spec'), 'spec'),
  checkStatus: members({
    status: members({
      disruptionsAllowed: nonNegative,
      currentHealthy: nonNegative,
      desiredHealthy: nonNegative,
      expectedPods: nonNegative,
    }),
  }),
};

/** Rules by storage key. */
export const networkingRules: Readonly<Record<string, KindRules>> = {
  'ingresses.networking.k8s.io': ingresses,
  'networkpolicies.networking.k8s.io': networkPolicies,
  'ingressclasses.networking.k8s.io': ingressClasses,
  'servicecidrs.networking.k8s.io': serviceCidrs,
  'ipaddresses.networking.k8s.io': ipAddresses,
  'endpointslices.discovery.k8s.io': endpointSlices,
  'poddisruptionbudgets.policy': budgets,
};
