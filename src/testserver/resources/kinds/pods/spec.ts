/** Validation of the specification of pods and pod templates. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import { array, type Json, object, own, text } from '@kgen/schema/values/json';
import {
  all,
  below,
  between,
  type Check,
  duplicate,
  each,
  eachValue,
  first,
  listed,
  members,
  named,
  oneOf,
  optional,
  present,
  requiredOneOf,
  unique,
  valid,
  whole,
} from '../support/checks.ts';
import {
  addressProblem,
  labelProblem,
  labelValueProblem,
  qualifiedProblems,
  subdomainProblem,
} from '../support/names.ts';
import { labels, selector } from '../support/selectors.ts';
import { resources } from './container-resources.ts';
import { containers, initContainers, seccompProfile } from './containers.ts';
import { environmentFiles } from './environment.ts';
import { volumes } from './volumes.ts';

const id = optional(between(0, 2 ** 31 - 1));

/** Validates a toleration. */
export const toleration: Check = whole((value, path) => {
  const [key, operator, effect] = [text(value, 'key'), text(value, 'operator'), text(value, 'effect')];
  const isKeyless = key === '' && operator !== 'Exists';
  return [
    ...(key === ''
      ? []
      : qualifiedProblems(key).map((detail) => invalidValue(below(path, 'key'), key, detail))),
    ...(isKeyless
      ? [
          invalidValue(
            below(path, 'operator'),
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(own(value, 'tolerationSeconds') !== undefined && effect !== 'NoExecute'
      ? [
          invalidValue(
            below(path, 'effect'),
            effect,
            "effect must be 'NoExecute' when `tolerationSeconds` is set",
          ),
        ]
      : []),
    ...operatorErrors(operator, text(value, 'value'), path),
    ...(effect === ''
      ? []
      : listed('NoSchedule', 'PreferNoSchedule', 'NoExecute')(effect, below(path, 'effect'))),
  ];
});

function operatorErrors(operator: string, value: string, path: string): readonly FieldError[] {
  if (operator === '' || operator === 'Equal') {
    const problem = labelValueProblem(value);
    return problem === undefined ? [] : [invalidValue(below(path, 'operator'), value, problem)];
  }
  if (operator !== 'Exists') return [notSupported(below(path, 'operator'), operator, ['Equal', 'Exists'])];
  return value === ''
    ? []
    : [invalidValue(below(path, 'operator'), value, "value must be empty when `operator` is 'Exists'")];
}

const topologyKey: Check = all(present('can not be empty'), (value, path) =>
  qualifiedProblems(String(value ?? '')).map((detail) => invalidValue(path, value ?? '', detail)),
);
const podTerm: Check = members({ labelSelector: optional(selector), topologyKey });
const weight: Check = (value, path) =>
  typeof value === 'number' && value >= 1 && value <= 100
    ? []
    : [invalidValue(path, value ?? 0, 'must be in the range 1-100')];
const podTerms = optional(
  members({
    requiredDuringSchedulingIgnoredDuringExecution: each(podTerm),
    preferredDuringSchedulingIgnoredDuringExecution: each(members({ weight, podAffinityTerm: podTerm })),
  }),
);

const nodeOperators: Readonly<Record<string, string>> = {
  In: "must be specified when `operator` is 'In' or 'NotIn'",
  NotIn: "must be specified when `operator` is 'In' or 'NotIn'",
  Gt: "must be specified single value when `operator` is 'Lt' or 'Gt'",
  Lt: "must be specified single value when `operator` is 'Lt' or 'Gt'",
};
const nodeRequirement: Check = whole((value, path) => {
  const operator = text(value, 'operator');
  const detail = nodeOperators[operator];
  const count = array(value, 'values').length;
  const isShort = operator === 'Gt' || operator === 'Lt' ? count !== 1 : count === 0;
  return [
    ...(detail !== undefined && isShort ? [required(below(path, 'values'), detail)] : []),
    ...((operator === 'Exists' || operator === 'DoesNotExist') && count > 0
      ? [
          forbiddenField(
            below(path, 'values'),
            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
          ),
        ]
      : []),
    ...(detail === undefined && operator !== 'Exists' && operator !== 'DoesNotExist'
      ? [invalidValue(below(path, 'operator'), operator, 'not a valid selector operator')]
      : []),
    ...qualifiedProblems(text(value, 'key')).map((problem) =>
      invalidValue(below(path, 'key'), text(value, 'key'), problem),
    ),
  ];
});
const nodeField: Check = whole((value, path) => {
  const [key, operator] = [text(value, 'key'), text(value, 'operator')];
  const isKnown = operator === 'In' || operator === 'NotIn';
  const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  return [
    ...(isKnown ? [] : [invalidValue(below(path, 'operator'), operator, 'not a valid selector operator')]),
    ...(isKnown && array(value, 'values').length !== 1 ? [required(below(path, 'values'), detail)] : []),
    ...(key === 'metadata.name'
      ? []
      : [invalidValue(below(path, 'key'), key, 'not a valid field selector key')]),
  ];
});
const nodeTerm: Check = members({ matchExpressions: each(nodeRequirement), matchFields: each(nodeField) });

/** Validates a node selector. */
export const nodeSelector: Check = members({
  nodeSelectorTerms: first(present('must have at least one node selector term'), each(nodeTerm)),
});

/** Validates the values of a node selector, which pods may have in any form. */
export const affinityValues: Check = (value, path) =>
  array(value, 'nodeSelectorTerms').flatMap((term, index) =>
    array(term, 'matchExpressions').flatMap((item, position) =>
      each(valid(labelValueProblem))(
        own(item, 'values'),
        `${path}.nodeSelectorTerms[${index}].matchExpressions[${position}].values`,
      ),
    ),
  );

const affinity = optional(
  members({
    nodeAffinity: optional(
      members({
        requiredDuringSchedulingIgnoredDuringExecution: optional(nodeSelector),
        preferredDuringSchedulingIgnoredDuringExecution: each(members({ weight, preference: nodeTerm })),
      }),
    ),
    podAffinity: podTerms,
    podAntiAffinity: podTerms,
  }),
);

const sysctlForm = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const sysctl = valid((name) =>
  name.length <= 253 && new RegExp(sysctlForm).test(name)
    ? undefined
    : `must have at most 253 characters and match regex ${sysctlForm}`,
);

const securityContext = optional(
  members({
    runAsUser: id,
    runAsGroup: id,
    fsGroup: id,
    supplementalGroups: each(id),
    sysctls: all(each(members({ name: first(present(), sysctl) })), unique('name')),
    fsGroupChangePolicy: optional(oneOf('OnRootMismatch', 'Always')),
    seccompProfile,
  }),
);

const sharing: Check = whole((value, path) =>
  own(value, 'shareProcessNamespace') === true && own(value, 'hostPID') === true
    ? [
        invalidValue(
          `${path}.securityContext.shareProcessNamespace`,
          true,
          'ShareProcessNamespace and HostPID cannot both be enabled',
        ),
      ]
    : [],
);

const hostname: Check = whole((value, path) => {
  const name = own(value, 'hostnameOverride');
  if (typeof name !== 'string') return [];
  const at = below(path, 'hostnameOverride');
  const excludes = ['setHostnameAsFQDN', 'hostNetwork'].filter((other) => own(value, other) === true);
  const tooLong: FieldError = {
    reason: 'FieldValueTooLong',
    field: at,
    detail: 'may not be more than 64 bytes',
  };
  return [
    ...excludes.map((other) => forbiddenField(at, `may not be specified when ${other} is true`)),
    ...(name.length > 64 ? [tooLong] : []),
    ...valid(subdomainProblem)(name, at),
  ];
});

const spread: Check = members({
  maxSkew: (value, path) =>
    typeof value === 'number' && value > 0
      ? []
      : [invalidValue(path, value ?? 0, 'must be greater than zero')],
  topologyKey: present('can not be empty'),
  whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'),
  labelSelector: optional(selector),
});

/** Constraints differ by key and reaction. As on a real server, errors are at the first of them. */
const spreads: Check = (value, path) => {
  const keys = array(value).map(
    (item) => `{${text(item, 'topologyKey')}, ${text(item, 'whenUnsatisfiable')}}`,
  );
  return keys.flatMap((key, index) => [
    ...spread(array(value)[index], `${path}[${index}]`),
    ...keys
      .slice(index + 1)
      .filter((other) => other === key)
      .map(() => duplicate(`${path}[${index}].{topologyKey, whenUnsatisfiable}`, key)),
  ]);
};

const plain: Check = members({
  restartPolicy: first(present(), listed('Always', 'OnFailure', 'Never')),
  dnsPolicy: first(present(), listed('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None')),
  nodeSelector: labels,
  securityContext,
  imagePullSecrets: each(members({ name: present() })),
  affinity,
  serviceAccountName: valid((name) => (name === '' ? undefined : subdomainProblem(name))),
  nodeName: valid((name) => (name === '' ? undefined : subdomainProblem(name))),
  activeDeadlineSeconds: optional(between(1, 2 ** 31 - 1)),
  hostname: valid((name) => (name === '' ? undefined : labelProblem(name))),
  subdomain: valid((name) => (name === '' ? undefined : labelProblem(name))),
  tolerations: each(toleration),
  hostAliases: each(members({ ip: valid(addressProblem), hostnames: each(valid(subdomainProblem)) })),
  priorityClassName: valid((name) => (name === '' ? undefined : subdomainProblem(name))),
  runtimeClassName: optional(named(subdomainProblem)),
  preemptionPolicy: optional(oneOf('Never', 'PreemptLowerPriority')),
  readinessGates: each(
    members({
      conditionType: (value, path) =>
        qualifiedProblems(String(value ?? '')).map((detail) => invalidValue(path, value ?? '', detail)),
    }),
  ),
  topologySpreadConstraints: spreads,
  dnsConfig: optional(
    members({
      options: each((value, path) => present('must not be empty')(own(value, 'name'), path)),
    }),
  ),
  // The error is at the object.
  os: optional((value, path) => requiredOneOf('linux', 'windows')(own(value, 'name'), path)),
  overhead: eachValue(() => []),
  resources,
});

/** A container that stops sleeps less than the pod has to terminate. */
const sleeps: Check = (value, path) => {
  const grace = Number(own(value, 'terminationGracePeriodSeconds') ?? 30);
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
  return ['containers', 'initContainers'].flatMap((list) =>
    array(value, list).flatMap((container, index) =>
      ['postStart', 'preStop'].flatMap((hook) => {
        const seconds = own(object(container, 'lifecycle', hook, 'sleep'), 'seconds');
        const at = `${path}.${list}[${index}].lifecycle.${hook}.sleep`;
        return typeof seconds === 'number' && (seconds < 0 || seconds > grace)
          ? [invalidValue(at, seconds, detail)]
          : [];
      }),
    ),
  );
};

/** Validates `spec` of a pod or a pod template. */
export const podSpec: Check = (value, path) => {
  const invalid = volumes(own(value, 'volumes'), below(path, 'volumes'));
  // As on a real server, mounts of invalid volumes are not found.
  const isValid = (_: Json, index: number): boolean =>
    !invalid.some(({ field }) => field.startsWith(`${below(path, 'volumes')}[${index}]`));
  const mountable = array(value, 'volumes').filter(isValid);
  const names = new Set(mountable.map((volume) => text(volume, 'name')));
  names.delete('');
  const containerNames = new Set(array(value, 'containers').map((item) => text(item, 'name')));
  return [
    ...invalid,
    ...containers(names)(own(value, 'containers'), below(path, 'containers')),
    ...initContainers(names, containerNames)(own(value, 'initContainers'), below(path, 'initContainers')),
    ...plain(value, path),
    ...sharing(value, path),
    ...environmentFiles(value, path),
    ...sleeps(value, path),
    ...hostname(value, path),
  ];
};

/** Validates a pod template: its labels, annotations and specification. */
export const podTemplate: Check = (value, path) => [
  // As on a real server, without the metadata.
  ...labels(object(value, 'metadata', 'labels'), `${path}.labels`),
  ...Object.keys(object(value, 'metadata', 'annotations')).flatMap((key) =>
    qualifiedProblems(key.toLowerCase()).map((detail) => invalidValue(`${path}.annotations`, key, detail)),
  ),
  ...podSpec(own(value, 'spec'), `${path}.spec`),
  ...(array(value, 'spec', 'ephemeralContainers').length > 0
    ? [forbiddenField(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
    : []),
];

/** A token is that of a service account. Templates need none: each pod gets its own. */
export const tokens: Check = (value, path) => {
  if (text(value, 'serviceAccountName') !== '') return [];
  return array(value, 'volumes').flatMap((volume, index) =>
    array(volume, 'projected', 'sources').flatMap((source, position) => {
      const at = `${path}.volumes[${index}].projected.sources[${position}].serviceAccountToken`;
      const isToken = own(source, 'serviceAccountToken') !== undefined;
      return isToken ? [forbiddenField(at, 'must not be specified when serviceAccountName is not set')] : [];
    }),
  );
};
