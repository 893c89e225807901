/** Kinds that extend the API server, its storage and its devices: defaults and required fields. */
import { invalidValue, required } from '../../api/fielderror.ts';
import { array, isObject, type JsonObject, object, own, putAt, strings, text } from '../../values/json.ts';
import { withProtection } from './claims.ts';
import { all, type Check, each, isEmpty, members, present, valid, whole } from './support/checks.ts';
import { type Fill, fill } from './support/fill.ts';
import { dns1035Problem, qualifiedProblems, subdomainProblem } from './support/names.ts';
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

const mutatingPolicies: KindRules = {
  generation: true,
  unconditionalUpdate: false,
  defaults: (value) => fill(value, policyFill),
  check: members({
    spec: members({
      matchConstraints: (value, path) => (isObject(value) ? [] : [required(path)]),
      mutations: present('mutations must contain at least one item'),
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

const apiServices: KindRules = {
  unconditionalUpdate: false,
  defaults: (value) => fill(value, { in: { spec: { in: { service: { set: { port: 443 } } } } } }),
  check: whole((value) => {
    const spec = object(value, 'spec');
    const [name, group, version] = [
      text(value, 'metadata', 'name'),
      text(spec, 'group'),
      text(spec, 'version'),
    ];
    const wanted = `${version}.${group}`;
    const [minimum, priority] = [
      Number(own(spec, 'groupPriorityMinimum') ?? 0),
      Number(own(spec, 'versionPriority') ?? 0),
    ];
    return [
      ...(name === wanted
        ? []
        : [invalidValue('metadata.name', name, `must be \`spec.version+"."+spec.group\`: "${wanted}"`)]),
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
  check: members({
    spec: members({
      priorityLevelConfiguration: members({ name: present('must reference a priority level') }),
    }),
  }),
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
  check: members({ spec: members({ type: present() }) }),
};

const device: Fill = { when: (request) => withCount(request) };

function withCount(request: JsonObject): JsonObject {
  const mode = text(request, 'allocationMode') || 'ExactCount';
  const count = mode === 'ExactCount' && Number(own(request, 'count') ?? 0) === 0 ? { count: 1 } : {};
  return { ...request, allocationMode: mode, ...count };
}

const claimFill: Fill = {
  in: { devices: { each: { requests: { in: { exactly: device }, each: { firstAvailable: device } } } } },
};

const taint: Check = members({
  key: (value, path) =>
    qualifiedProblems(String(value ?? '')).map((detail) => invalidValue(path, value ?? '', detail)),
  effect: present(),
});

const oneNode = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

const slices: KindRules = {
  generation: true,
  check: members({
    spec: whole((value, path) => {
      const pool = object(value, 'pool');
      const count = Number(own(pool, 'resourceSliceCount') ?? 0);
      const nodes = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'].filter(
        (key) => !isEmpty(own(value, key)),
      );
      return [
        ...present()(own(value, 'driver'), `${path}.driver`),
        ...present()(own(pool, 'name'), `${path}.pool.name`),
        ...(count > 0
          ? []
          : [invalidValue(`${path}.pool.resourceSliceCount`, count, 'must be greater than zero')]),
        ...(nodes.length === 1 ? [] : [required(path, oneNode)]),
      ];
    }),
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
  'deviceclasses.resource.k8s.io': { generation: true },
  'resourceclaims.resource.k8s.io': { defaults: (value) => fill(value, { in: { spec: claimFill } }) },
  'resourceclaimtemplates.resource.k8s.io': {
    defaults: (value) => fill(value, { in: { spec: { in: { spec: claimFill } } } }),
  },
  'resourceslices.resource.k8s.io': slices,
  'devicetaintrules.resource.k8s.io': { generation: true, check: members({ spec: members({ taint }) }) },
  'resourcepoolstatusrequests.resource.k8s.io': {
    unconditionalUpdate: false,
    check: members({ spec: members({ driver: present() }) }),
  },
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
