/**
 * Nodes, namespaces' contents and limits: nodes, limit ranges, quotas, priority classes, leases, events,
 * endpoints.
 */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import {
  array,
  at,
  equal,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
  strings,
  text,
} from '@kgen/schema/values/json';
import { events } from './events.ts';
import { limitRanges, resourceQuotas } from './limits/ranges.ts';
import { overhead } from './pods/container-resources.ts';
import { toleration } from './pods/spec.ts';
import {
  all,
  between,
  type Check,
  duplicate,
  each,
  first,
  immutable,
  listed,
  members,
  named,
  nonNegative,
  optional,
  positive,
  present,
  valid,
} from './support/checks.ts';
import { fill, withPair } from './support/fill.ts';
import {
  addressProblem,
  labelProblem,
  labelValueProblem,
  networkProblem,
  qualifiedProblems,
  subdomainProblem,
} from './support/names.ts';
import type { KindRules } from './support/rules.ts';
import { labels } from './support/selectors.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

const podRanges = { path: ['spec'], one: 'podCIDR', many: 'podCIDRs' };

const taint: Check = members({
  key: (value, path) =>
    qualifiedProblems(String(value ?? '')).map((detail) => invalidValue(path, value ?? '', detail)),
  value: optional(valid(labelValueProblem)),
  effect: first(present(), listed('NoSchedule', 'PreferNoSchedule', 'NoExecute')),
});

const taints: Check = (value, path) => {
  const named = array(value).map((item) => `${text(item, 'key')}:${text(item, 'effect')}`);
  return array(value).flatMap((item, index) => [
    ...taint(item, `${path}[${index}]`),
    ...(named.indexOf(named[index] ?? '') < index ? [repeatedTaint(item, `${path}[${index}]`)] : []),
  ]);
};

/** The server prints its internal type. */
function repeatedTaint(item: Json, field: string): FieldError {
  const value = {
    Key: text(item, 'key'),
    Value: text(item, 'value'),
    Effect: text(item, 'effect'),
    TimeAdded: own(item, 'timeAdded') ?? null,
  };
  return { ...duplicate(field, value), detail: 'taints must be unique by key and effect pair' };
}

const nodes: KindRules = {
  keepsStatus: true,
  defaults: (value) => {
    const capacity = own(object(value, 'status'), 'capacity');
    const isComplete = !isObject(capacity) || own(object(value, 'status'), 'allocatable') !== undefined;
    return withPair(isComplete ? value : putAt(value, ['status', 'allocatable'], capacity), podRanges);
  },
  check: (value) => [
    ...rangeErrors(strings(value, 'spec', 'podCIDRs')),
    // As on a real server, at another path.
    ...taints(at(value, 'spec', 'taints'), 'metadata.taints'),
  ],
  // The admission plugin TaintNodesByCondition.
  admit: (value, old) => {
    const taints = array(value, 'spec', 'taints');
    const has = taints.some(
      (taint) => text(taint, 'key') === notReady.key && text(taint, 'effect') === notReady.effect,
    );
    return old !== undefined || has ? value : putAt(value, ['spec', 'taints'], [...taints, notReady]);
  },
  checkUpdate: ({ value, old }) => {
    const [now, before] = [object(value, 'spec'), object(old, 'spec')];
    const set = strings(before, 'podCIDRs').length > 0;
    const provider = text(before, 'providerID');
    const changed = (name: string): string => `node updates may not change ${name} except from "" to valid`;
    return [
      ...(set && !equal(own(now, 'podCIDRs'), own(before, 'podCIDRs'))
        ? [forbiddenField('spec.podCIDRs', changed('podCIDR'))]
        : []),
      ...(provider !== '' && text(now, 'providerID') !== provider
        ? [forbiddenField('spec.providerID', changed('providerID'))]
        : []),
    ];
  },
};

function rangeErrors(ranges: readonly string[]): readonly FieldError[] {
  const errors = ranges.flatMap((range, index) => valid(networkProblem)(range, `spec.podCIDRs[${index}]`));
  const families = new Set(ranges.map((range) => range.includes(':')));
  const detail = 'may specify no more than one CIDR for each IP family';
  return [
    ...errors,
    ...(errors.length === 0 && ranges.length > families.size
      ? [invalidValue('spec.podCIDRs', ranges, detail)]
      : []),
  ];
}

const priorityClasses: KindRules = {
  create: (value) => putAt(value, ['metadata', 'generation'], 1),
  // A pointer: an empty string is a value.
  defaults: (value) => ({ preemptionPolicy: 'PreemptLowerPriority', ...value }),
  checkWrite: ({ value, old }) =>
    old === undefined
      ? first(present(), listed('PreemptLowerPriority', 'Never'))(
          own(value, 'preemptionPolicy'),
          'preemptionPolicy',
        )
      : [],
  check: (value) => {
    const [name, number] = [text(value, 'metadata', 'name'), Number(own(value, 'value') ?? 0)];
    if (name.startsWith('system-') && !['system-node-critical', 'system-cluster-critical'].includes(name)) {
      return [
        {
          reason: 'FieldValueForbidden',
          field: 'metadata.name',
          detail:
            "priority class names with 'system-' prefix are reserved for system use only. error: only system-node-critical, system-cluster-critical are allowed",
        },
      ];
    }
    return number > 1_000_000_000 && !name.startsWith('system-')
      ? [
          {
            reason: 'FieldValueForbidden',
            field: 'value',
            detail: `maximum allowed value of a user defined priority is 1000000000`,
          },
        ]
      : [];
  },
  checkUpdate: ({ value, old }) => [
    ...changed('value', value, old),
    ...immutable('preemptionPolicy', own(value, 'preemptionPolicy'), own(old, 'preemptionPolicy')),
  ],
};

function changed(key: string, value: JsonObject, old: JsonObject): readonly FieldError[] {
  return equal(own(value, key), own(old, key))
    ? []
    : [{ reason: 'FieldValueForbidden', field: key, detail: 'may not be changed in an update.' }];
}

const leases: KindRules = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  check: members({
    spec: members({
      leaseDurationSeconds: optional(positive),
      leaseTransitions: optional(nonNegative),
    }),
  }),
};

const leaseCandidates: KindRules = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  check: members({ spec: members({ leaseName: present(), binaryVersion: present(), strategy: present() }) }),
};

/** An address is checked twice: as such, and as one of the network. */
const endpointAddress: Check = members({
  ip: (value, path) => {
    const address = String(value ?? '');
    const problem = addressProblem(address);
    return problem === undefined
      ? []
      : [invalidValue(path, address, problem), invalidValue(path, address, 'must be a valid IP address')];
  },
  hostname: optional(valid((name) => (name === '' ? undefined : labelProblem(name)))),
  nodeName: optional(valid(subdomainProblem)),
});

const endpointPort: Check = members({
  name: optional(valid((name) => (name === '' ? undefined : labelProblem(name)))),
  port: between(1, 65_535),
  protocol: (value, path) =>
    ['TCP', 'UDP', 'SCTP'].includes(String(value))
      ? []
      : [notSupported(path, value ?? '', ['SCTP', 'TCP', 'UDP'])],
});

const endpoints: KindRules = {
  createOnUpdate: true,
  defaults: (value) => fill(value, { each: { subsets: { each: { ports: { set: { protocol: 'TCP' } } } } } }),
  check: members({
    subsets: each((value, path) => [
      ...(array(value, 'addresses').length + array(value, 'notReadyAddresses').length === 0
        ? [required(path, 'must specify `addresses` or `notReadyAddresses`')]
        : []),
      ...each(endpointAddress)(own(value, 'addresses'), `${path}.addresses`),
      ...each(endpointAddress)(own(value, 'notReadyAddresses'), `${path}.notReadyAddresses`),
      ...each(endpointPort)(own(value, 'ports'), `${path}.ports`),
    ]),
  }),
};

/** The server prints its internal type. */
const tolerations: Check = (value, path) =>
  array(value).flatMap((item, index, items) =>
    items.findIndex((other) => equal(other, item)) < index
      ? [
          duplicate(`${path}[${index}]`, {
            Key: text(item, 'key'),
            Operator: text(item, 'operator'),
            Value: text(item, 'value'),
            Effect: text(item, 'effect'),
            TolerationSeconds: own(item, 'tolerationSeconds') ?? null,
          }),
        ]
      : [],
  );

const runtimeClasses: KindRules = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  check: members({
    handler: named(labelProblem),
    overhead: optional(overhead),
    scheduling: optional(members({ nodeSelector: labels, tolerations: all(each(toleration), tolerations) })),
  }),
  checkUpdate: ({ value, old }) => immutable('handler', own(value, 'handler'), own(old, 'handler')),
};

/** Rules by storage key. */
export const clusterRules: Readonly<Record<string, KindRules>> = {
  nodes,
  limitranges: limitRanges,
  resourcequotas: resourceQuotas,
  'priorityclasses.scheduling.k8s.io': priorityClasses,
  'leases.coordination.k8s.io': leases,
  'leasecandidates.coordination.k8s.io': leaseCandidates,
  events,
  endpoints,
  'runtimeclasses.node.k8s.io': runtimeClasses,
};
