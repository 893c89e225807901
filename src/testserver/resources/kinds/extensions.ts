/** Kinds that extend the API server, its storage and its devices: defaults and required fields. */
import { invalidValue, notSupported, required } from '@kgen/schema/errors/field-error';
import {
  array,
  isObject,
  type JsonObject,
  object,
  own,
  putAt,
  strings,
  text,
} from '@kgen/schema/values/json';
import { withProtection } from './claims.ts';
import { all, type Check, each, first, isEmpty, members, present, valid, whole } from './support/checks.ts';
import { type Fill, fill } from './support/fill.ts';
import { dns1035Problem, subdomainProblem } from './support/names.ts';
import type { KindRules } from './support/rules.ts';

const rule: Fill = { set: { scope: '*' } };
const service: Fill = { in: { clientConfig: { in: { service: { set: { port: 443 } } } } } };

const webhook: Check = members({
  name: (value, path) => {
    const problem = subdomainProblem(String(value ?? ''));
    if (isEmpty(value)) return [required(path)];
    if (problem !== undefined) return [invalidValue(path, value ?? '', problem)];
    return String(value).split('.').length < 3
      ? [invalidValue(path, value ?? '', 'should be a domain with at least three segments separated by dots')]
      : [];
  },
  admissionReviewVersions: (value, path) =>
    strings(value).length === 0 ? [required(path, 'must specify one of v1, v1beta1')] : [],
  sideEffects: (value, path) =>
    value === undefined ? [required(path, 'must specify one of None, NoneOnDryRun')] : [],
});

const matching: Fill = {
  set: { matchPolicy: 'Equivalent' },
  each: { resourceRules: rule, excludeResourceRules: rule },
  when: withSelectors,
};

/** An empty selector selects everything, and is written as such. */
function withSelectors(value: JsonObject): JsonObject {
  return {
    ...value,
    namespaceSelector: object(value, 'namespaceSelector'),
    objectSelector: object(value, 'objectSelector'),
  };
}

const policyFill: Fill = {
  in: { spec: { set: { failurePolicy: 'Fail' }, in: { matchConstraints: matching } } },
};
const bindingFill: Fill = { in: { spec: { in: { matchResources: matching } } } };

const oneRequired = 'validations or auditAnnotations must contain at least one item';

const validatingPolicies: KindRules = {
  generation: true,
  unconditionalUpdate: false,
  defaults: (value) => fill(value, policyFill),
  check: members({
    spec: whole((value, path) => {
      const isEmptyPolicy =
        array(value, 'validations').length + array(value, 'auditAnnotations').length === 0;
      return [
        ...(isObject(own(value, 'matchConstraints')) ? [] : [required(`${path}.matchConstraints`)]),
        ...(isEmptyPolicy
          ? [required(`${path}.validations`, oneRequired), required(`${path}.auditAnnotations`, oneRequired)]
          : []),
      ];
    }),
  }),
};

/** The member of each type of patch. */
const patches: Readonly<Record<string, string>> = {
  ApplyConfiguration: 'applyConfiguration',
  JSONPatch: 'jsonPatch',
};

const mutation: Check = whole((value, path) => {
  const type = text(value, 'patchType');
  if (type === '') return [required(`${path}.patchType`)];
  const member = patches[type];
  if (member === undefined) return [notSupported(`${path}.patchType`, type, Object.keys(patches))];
  const others = Object.values(patches).filter((key) => key !== member && own(value, key) !== undefined);
  return [
    ...(own(value, member) === undefined
      ? [required(`${path}.${member}`, `must be specified when patchType is ${type}`)]
      : []),
    ...others.map((key) =>
      invalidValue(`${path}.${key}`, `{${key}}`, `must not be specified when patchType is ${type}`),
    ),
  ];
});

const mutatingPolicies: KindRules = {
  generation: true,
  unconditionalUpdate: false,
  defaults: (value) => fill(value, policyFill),
  check: members({
    spec: members({
      matchConstraints: (value, path) => (isObject(value) ? [] : [required(path)]),
      mutations: first(present('mutations must contain at least one item'), each(mutation)),
      reinvocationPolicy: present(),
    }),
  }),
};

const tokensInContext =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

const csiDrivers: KindRules = {
  warnings: (value) => {
    const spec = object(value, 'spec');
    const isLogged =
      array(spec, 'tokenRequests').length > 0 && own(spec, 'serviceAccountTokenInSecrets') === undefined;
    return isLogged ? [tokensInContext] : [];
  },
  unconditionalUpdate: false,
  defaults: (value) =>
    fill(value, {
      in: {
        spec: {
          set: {
            attachRequired: true,
            podInfoOnMount: false,
            storageCapacity: false,
            fsGroupPolicy: 'ReadWriteOnceWithFSType',
            volumeLifecycleModes: ['Persistent'],
            requiresRepublish: false,
            seLinuxMount: false,
          },
        },
      },
    }),
};

const attachmentSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

const volumeAttachments: KindRules = {
  unconditionalUpdate: false,
  defaults: (value) => putAt(value, ['status'], { attached: false, ...object(value, 'status') }),
  create: (value) => ({ ...value, status: { attached: false } }),
  check: members({
    spec: members({
      attacher: present(),
      source: (value, path) =>
        Object.keys(object(value)).length === 1 ? [] : [required(path, attachmentSource)],
      nodeName: (value, path) => valid(subdomainProblem)(value ?? '', path),
    }),
  }),
};

const attributesClasses: KindRules = {
  admit: (value, old) => (old === undefined ? withProtection(value, 'kubernetes.io/vac-protection') : value),
  check: members({
    driverName: present(),
    parameters: (value, path) =>
      Object.keys(object(value)).length === 0
        ? [required(path, 'must contain at least one key/value pair')]
        : [],
  }),
};

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
      ...valid(dns1035Problem)(version, 'spec.version'),
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

const signingRequests: KindRules = {
  // The user is that of the request.
  create: (value, cluster) => ({
    ...value,
    spec: { ...object(value, 'spec'), username: cluster.user.name, groups: cluster.user.groups },
  }),
  check: members({
    spec: members({
      request: (value, path) =>
        Buffer.from(String(value ?? ''), 'base64')
          .toString('utf8')
          .includes('BEGIN CERTIFICATE REQUEST')
          ? []
          : [invalidValue(path, value ?? null, 'PEM block type must be CERTIFICATE REQUEST')],
      usages: present(),
      signerName: present(),
    }),
  }),
};

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

const admission = 'admissionregistration.k8s.io';

/** Rules by storage key. */
export const extensionRules: Readonly<Record<string, KindRules>> = {
  [`validatingwebhookconfigurations.${admission}`]: webhooks({}),
  [`mutatingwebhookconfigurations.${admission}`]: webhooks({ reinvocationPolicy: 'Never' }),
  [`validatingadmissionpolicies.${admission}`]: validatingPolicies,
  [`validatingadmissionpolicybindings.${admission}`]: bindings(
    members({ validationActions: present('at least one validation action is required') }),
  ),
  [`mutatingadmissionpolicies.${admission}`]: mutatingPolicies,
  [`mutatingadmissionpolicybindings.${admission}`]: bindings(),
  'csidrivers.storage.k8s.io': csiDrivers,
  'csinodes.storage.k8s.io': { unconditionalUpdate: false },
  'csistoragecapacities.storage.k8s.io': {
    unconditionalUpdate: false,
    check: members({ storageClassName: (value, path) => valid(subdomainProblem)(value ?? '', path) }),
  },
  'storageclasses.storage.k8s.io': {
    defaults: (value) => fill(value, { set: { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' } }),
    check: members({ provisioner: present() }),
  },
  'volumeattachments.storage.k8s.io': volumeAttachments,
  'volumeattributesclasses.storage.k8s.io': attributesClasses,
  'apiservices.apiregistration.k8s.io': apiServices,
  'certificatesigningrequests.certificates.k8s.io': signingRequests,
  'flowschemas.flowcontrol.apiserver.k8s.io': flowSchemas,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': priorityLevels,
  'storageversions.internal.apiserver.k8s.io': storageVersions,
};

function bindings(...checks: readonly Check[]): KindRules {
  return {
    generation: true,
    unconditionalUpdate: false,
    defaults: (value) => fill(value, bindingFill),
    check: members({ spec: all(members({ policyName: present() }), ...checks) }),
  };
}

function webhooks(more: JsonObject): KindRules {
  return {
    generation: true,
    unconditionalUpdate: false,
    defaults: (value) => fill(value, webhookFill(more)),
    check: members({ webhooks: each(webhook) }),
  };
}

function webhookFill(more: JsonObject): Fill {
  return {
    each: {
      webhooks: {
        set: { failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10, ...more },
        ...service,
        each: { rules: rule },
        when: withSelectors,
      },
    },
  };
}
