/** Kinds that configure the control plane itself: its versions, certificates and flow control. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import {
  array,
  equal,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  text,
} from '@kgen/schema/values/json';
import { label1035Problems, labelProblem, subdomainProblem } from '@kgen/schema/values/names';
import {
  all,
  type Check,
  distinct,
  each,
  first,
  members,
  present,
  requiredOneOf,
  unique,
  whole,
} from '../support/checks.ts';
import { fill } from '../support/fill.ts';
import type { Cluster, KindRules, KindWrite } from '../support/rules.ts';

const serviceTarget: Check = members({ namespace: present(), name: present() });

/** Condition of a version that the server itself serves. */
const local = {
  type: 'Available',
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

const apiServices: KindRules = {
  unconditionalUpdate: false,
  create: (value, cluster) =>
    isObject(own(object(value, 'spec'), 'service'))
      ? value
      : { ...value, status: { conditions: [{ ...local, lastTransitionTime: cluster.now() }] } },
  defaults: (value) => fill(value, { in: { spec: { in: { service: { set: { port: 443 } } } } } }),
  check: whole((value) => {
    const spec = object(value, 'spec');
    const [name, group, version] = [
      text(value, 'metadata', 'name'),
      text(spec, 'group'),
      text(spec, 'version'),
    ];
    const expected = `${version}.${group}`;
    const target = own(spec, 'service');
    const [minimum, priority] = [
      Number(own(spec, 'groupPriorityMinimum') ?? 0),
      Number(own(spec, 'versionPriority') ?? 0),
    ];
    return [
      ...(name === expected
        ? []
        : [invalidValue('metadata.name', name, `must be \`spec.version+"."+spec.group\`: "${expected}"`)]),
      ...(group === '' && version !== 'v1'
        ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
        : []),
      ...label1035Problems(version).map((problem) => invalidValue('spec.version', version, problem)),
      ...(minimum > 0 && minimum <= 20_000
        ? []
        : [invalidValue('spec.groupPriorityMinimum', minimum, 'must be positive and less than 20000')]),
      ...(priority > 0 && priority <= 1000
        ? []
        : [invalidValue('spec.versionPriority', priority, 'must be positive and less than 1000')]),
      ...(isObject(target) ? serviceTarget(target, 'spec.service') : []),
    ];
  }),
};

const usages = [
  ...['signing', 'digital signature', 'content commitment', 'key encipherment', 'key agreement'],
  ...['data encipherment', 'cert sign', 'crl sign', 'encipher only', 'decipher only', 'any'],
  ...['server auth', 'client auth', 'code signing', 'email protection', 's/mime', 'ipsec end system'],
  ...['ipsec tunnel', 'ipsec user', 'timestamping', 'ocsp signing', 'microsoft sgc', 'netscape sgc'],
];

const usage: Check = (value, path) =>
  usages.includes(String(value ?? '')) ? [] : [notSupported(path, value ?? '', usages.toSorted())];

const signerForm = "must be a fully qualified domain and path of the form 'example.com/signer-name'";

const signer: Check = (value, path) => {
  const [domain = '', ...rest] = String(value).split('/');
  if (rest.length !== 1) return [invalidValue(path, value ?? '', signerForm)];
  const labels = domain.split('.');
  return [
    ...labels.flatMap((label) => {
      const problem = labelProblem(label);
      return problem === undefined
        ? []
        : [invalidValue(path, domain, `validating label ${JSON.stringify(label)}: ${problem}`)];
    }),
    ...(labels.length < 2
      ? [invalidValue(path, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...rest
      .join('')
      .split('.')
      .flatMap((label) => {
        const problem = subdomainProblem(label);
        return problem === undefined
          ? []
          : [invalidValue(path, rest.join(''), `validating label ${JSON.stringify(label)}: ${problem}`)];
      }),
  ];
};

const decisions = ['Approved', 'Denied'];
const lasting = [...decisions, 'Failed'];

const condition: Check = whole((value, path) => {
  const status = lasting.includes(text(value, 'type'))
    ? requiredOneOf('True')
    : requiredOneOf('False', 'True', 'Unknown');
  return members({ type: present(), status })(value, path);
});

const signingRequests: KindRules = {
  // Every name is valid.
  name: () => undefined,
  checkUpdate: conditionErrors,
  checkStatusUpdate: conditionErrors,
  resets: (subresource) => {
    const part: Readonly<Record<string, readonly string[]>> = {
      status: ['conditions'],
      approval: ['certificate'],
    };
    return [['spec'], ['status', ...(part[subresource] ?? [])]];
  },
  // The user is that of the request.
  create: (value, cluster) => ({
    ...value,
    spec: { ...object(value, 'spec'), username: cluster.user.name, groups: cluster.user.groups },
  }),
  updateStatus: withConditionTimes,
  updatePart: (value, old, _, cluster) => {
    const { status = {} } = old;
    const conditions = array(withConditionTimes(value, old, cluster), 'status', 'conditions');
    const next =
      conditions.length === 0 ? omit(object(status), 'conditions') : { ...object(status), conditions };
    return { ...value, spec: object(old, 'spec'), status: next };
  },
  update: (value, old) => ({ ...value, spec: object(old, 'spec') }),
  check: members({
    spec: members({
      expirationSeconds: (value, path) =>
        typeof value === 'number' && value < 600
          ? [invalidValue(path, value, 'may not specify a duration less than 600 seconds (10 minutes)')]
          : [],
      request: (value, path) =>
        Buffer.from(String(value ?? ''), 'base64')
          .toString('utf8')
          .includes('BEGIN CERTIFICATE REQUEST')
          ? []
          : [invalidValue(path, value ?? null, 'PEM block type must be CERTIFICATE REQUEST')],
      usages: first(present(), all(each(usage), distinct)),
      signerName: first(present(), signer),
    }),
  }),
};

/** Validates changes of the conditions, of which an approval alone changes decisions. */
function conditionErrors({
  value,
  old,
  subresource,
}: KindWrite & { readonly old: JsonObject }): readonly FieldError[] {
  const path = 'status.conditions';
  const conditions = array(value, 'status', 'conditions');
  const of = (object: JsonObject, type: string): readonly Json[] =>
    array(object, 'status', 'conditions').filter((each) => text(each, 'type') === type);
  const decided = conditions.filter((each) => decisions.includes(text(each, 'type')));
  const isBoth = (object: JsonObject): boolean => decisions.every((type) => of(object, type).length > 0);
  const hasAdded = (type: string): boolean => of(value, type).length > of(old, type).length;
  const hasRemoved = (type: string): boolean => of(value, type).length < of(old, type).length;
  const isOther = (type: string): boolean =>
    !hasAdded(type) && !hasRemoved(type) && !equal(of(value, type), of(old, type));
  const refused = (types: readonly string[], change: string): readonly FieldError[] =>
    types.map((type) => forbiddenField(path, `updates may not ${change} a condition of type "${type}"`));
  return [
    ...each(condition)(conditions, path),
    ...(isBoth(value) && !isBoth(old)
      ? [
          invalidValue(
            path,
            text(decided[1], 'type'),
            'Approved and Denied conditions are mutually exclusive',
          ),
        ]
      : []),
    ...unique('type', 'with empty')(conditions, path),
    ...refused(lasting.filter(hasRemoved), 'remove'),
    ...(subresource === 'approval'
      ? []
      : [...refused(decisions.filter(hasAdded), 'add'), ...refused(decisions.filter(isOther), 'modify')]),
  ];
}

/** Conditions without times get those of the write, or of the same state before it. */
function withConditionTimes(value: JsonObject, old: JsonObject, cluster: Cluster): JsonObject {
  const conditions = array(value, 'status', 'conditions');
  if (conditions.length === 0) return value;
  const before = array(old, 'status', 'conditions');
  const next = conditions.map((condition) => {
    const same = before.find((each) =>
      ['type', 'status'].every((name) => text(each, name) === text(condition, name)),
    );
    const known = text(condition, 'lastTransitionTime') || text(same, 'lastTransitionTime');
    return {
      ...object(condition),
      lastUpdateTime: text(condition, 'lastUpdateTime') || cluster.now(),
      lastTransitionTime: known || cluster.now(),
    };
  });
  return putAt(value, ['status', 'conditions'], next);
}

const onlyExempt = "only the schema named 'exempt' may have matchingPrecedence 1";

const flowTarget: Check = members({
  spec: members({
    priorityLevelConfiguration: members({ name: present('must reference a priority level') }),
  }),
});

const flowSchemas: KindRules = {
  generation: true,
  defaults: (value) =>
    fill(value, {
      in: {
        spec: {
          when: (spec) => ({
            matchingPrecedence: 1000,
            ...spec,
            ...(own(spec, 'matchingPrecedence') === 0 ? { matchingPrecedence: 1000 } : {}),
          }),
        },
      },
    }),
  check: whole((value) => [
    ...(own(object(value, 'spec'), 'matchingPrecedence') === 1 && text(value, 'metadata', 'name') !== 'exempt'
      ? [invalidValue('spec.matchingPrecedence', 1, onlyExempt)]
      : []),
    ...flowTarget(value, ''),
  ]),
};

const priorityLevels: KindRules = {
  generation: true,
  defaults: (value) =>
    fill(value, {
      in: {
        spec: {
          in: {
            limited: {
              set: { nominalConcurrencyShares: 30, lendablePercent: 0 },
              in: {
                limitResponse: {
                  in: {
                    queuing: {
                      when: (queuing) => ({ queues: 64, handSize: 8, queueLengthLimit: 50, ...queuing }),
                    },
                  },
                },
              },
            },
            exempt: { set: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
          },
        },
      },
    }),
  check: members({
    spec: whole((value, path) => [
      ...present()(own(value, 'type'), `${path}.type`),
      ...(text(value, 'type') === 'Limited'
        ? present()(
            own(object(value, 'limited', 'limitResponse'), 'type'),
            `${path}.limited.limitResponse.type`,
          )
        : []),
    ]),
  }),
};

const storageVersions: KindRules = {
  unconditionalUpdate: false,
  keepsStatus: false,
  name: (name) => (name.split('.').length > 2 ? undefined : 'name must be in the form of <group>.<resource>'),
};

/** Rules by storage key. */
export const controlPlaneRules: Readonly<Record<string, KindRules>> = {
  'apiservices.apiregistration.k8s.io': apiServices,
  'certificatesigningrequests.certificates.k8s.io': signingRequests,
  'flowschemas.flowcontrol.apiserver.k8s.io': flowSchemas,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': priorityLevels,
  'storageversions.internal.apiserver.k8s.io': storageVersions,
};
