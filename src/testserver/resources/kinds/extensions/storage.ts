/** Kinds of `storage.k8s.io`: drivers, classes and attachments of volumes. */
import { type FieldError, forbiddenField, invalidValue, required } from '@kgen/runtime/objects';
import { array, equal, object, omit, own, putAt, strings, text } from '@kgen/schema/values/json';
import { withProtection } from '../claims.ts';
import {
  all,
  type Check,
  distinct,
  duplicate,
  each,
  first,
  immutable,
  listed,
  members,
  named,
  nonNegative,
  optional,
  present,
  unique,
  valid,
  whole,
} from '../support/checks.ts';
import { fill } from '../support/fill.ts';
import { qualifiedProblems, subdomainProblem } from '../support/names.ts';
import { type KindRules, restoredMetadata } from '../support/rules.ts';
import { selector } from '../support/selectors.ts';

const tokensInContext =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

const csiDrivers: KindRules = {
  check: members({
    spec: members({
      tokenRequests: unique('audience', 'with empty'),
    }),
  }),
  warnings: (value, old) => {
    const spec = object(value, 'spec');
    if (old !== undefined && equal(own(spec, 'tokenRequests'), own(object(old, 'spec'), 'tokenRequests')))
      return [];
    const isLogged =
      array(spec, 'tokenRequests').length > 0 && own(spec, 'serviceAccountTokenInSecrets') === undefined;
    return isLogged ? [tokensInContext] : [];
  },
  unconditionalUpdate: false,
  checkUpdate: ({ value, old }) =>
    [
      ['attachRequired', 'attachedRequired'],
      ['volumeLifecycleModes', 'volumeLifecycleModes'],
    ].flatMap(([key = '', shown]) =>
      immutable(`spec.${shown}`, own(object(value, 'spec'), key), own(object(old, 'spec'), key)),
    ),
  // Only updates have a generation.
  update: (value, old) =>
    equal(own(value, 'spec') ?? null, own(old, 'spec') ?? null)
      ? value
      : putAt(value, ['metadata', 'generation'], Number(own(object(old, 'metadata'), 'generation') ?? 0) + 1),
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

const volumeName: Check = members({
  persistentVolumeName: optional(
    all(present('must specify non empty persistentVolumeName'), valid(subdomainProblem)),
  ),
});

const volumeAttachments: KindRules = {
  unconditionalUpdate: false,
  statusKeeps: restoredMetadata,
  defaults: (value) => putAt(value, ['status'], { attached: false, ...object(value, 'status') }),
  create: (value) => ({ ...value, status: { attached: false } }),
  check: members({
    spec: members({
      attacher: named(subdomainProblem),
      source: (value, path) =>
        Object.keys(object(value)).length === 1
          ? volumeName(value, path)
          : [required(path, attachmentSource)],
      nodeName: (value, path) => valid(subdomainProblem)(value ?? '', path),
    }),
  }),
  checkUpdate: fixed('spec'),
};

/** Names of drivers are qualified; the case does not matter. */
const driverName: Check = first(present(), (value, path) => {
  const name = String(value).toLowerCase();
  return qualifiedProblems(name).map((problem) => invalidValue(path, name, problem));
});

const attributesClasses: KindRules = {
  admit: (value, old) => (old === undefined ? withProtection(value, 'kubernetes.io/vac-protection') : value),
  check: members({
    driverName,
    parameters: (value, path) =>
      Object.keys(object(value)).length === 0
        ? [required(path, 'must contain at least one key/value pair')]
        : [],
  }),
  checkUpdate: ({ value, old }) =>
    ['driverName', 'parameters']
      .filter((key) => !equal(own(value, key) ?? null, own(old, key) ?? null))
      .map((key) => forbiddenField(key, `updates to ${key} are forbidden.`)),
};

const topologyKeys: Check = (value, path) => {
  const keys = strings(value);
  return keys.flatMap((key, index): readonly FieldError[] => [
    ...(key === '' ? [required(path)] : []),
    ...(keys.indexOf(key) < index ? [duplicate(path, key)] : []),
    ...qualifiedProblems(key).map((problem) => invalidValue(path, key, problem)),
  ]);
};

const nodeDriver: Check = whole((value, path) => [
  ...members({
    name: named(subdomainProblem),
    nodeID: present(),
    allocatable: optional(members({ count: nonNegative })),
  })(value, path),
  // As on a real server, at the driver.
  ...topologyKeys(own(value, 'topologyKeys'), path),
]);

const csiNodes: KindRules = {
  unconditionalUpdate: false,
  check: members({ spec: members({ drivers: all(each(nodeDriver), unique('name')) }) }),
  // A driver may be added and removed, and its capacity may change.
  checkUpdate: ({ value, old }) =>
    array(value, 'spec', 'drivers').flatMap((driver) => {
      const before = array(old, 'spec', 'drivers').find(
        (other) => text(other, 'name') === text(driver, 'name'),
      );
      const [now, then] = [driver, before].map((each) => omit(object(each), 'allocatable'));
      return before === undefined || equal(now, then ?? null)
        ? []
        : [invalidValue('spec.drivers', driver, 'field is immutable')];
    }),
};

const topologyTerm: Check = members({
  matchLabelExpressions: all(
    each(
      members({
        key: valid(qualifiedProblems),
        values: first(present(), distinct),
      }),
    ),
    unique('key', 'with empty'),
  ),
});

/** Terms with equal keys and values are reported at the expressions. */
const topologies: Check = (value, path) => {
  const printed = array(value).map((term) => JSON.stringify(array(term, 'matchLabelExpressions')));
  return [
    ...each(topologyTerm)(value, path),
    ...printed.flatMap((term, index) =>
      printed.indexOf(term) < index || term === '[]'
        ? [duplicate(`${path}[${index}].matchLabelExpressions`, '')]
        : [],
    ),
  ];
};

const storageClasses: KindRules = {
  // Pointers: an empty string is a value.
  defaults: (value) => ({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate', ...value }),
  check: members({
    provisioner: driverName,
    volumeBindingMode: listed('Immediate', 'WaitForFirstConsumer'),
    allowedTopologies: topologies,
  }),
  checkUpdate: fixed('parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'),
};

/** Rules by storage key. */
export const storageRules: Readonly<Record<string, KindRules>> = {
  'csidrivers.storage.k8s.io': csiDrivers,
  'csinodes.storage.k8s.io': csiNodes,
  'csistoragecapacities.storage.k8s.io': {
    unconditionalUpdate: false,
    check: members({
      storageClassName: (value, path) => valid(subdomainProblem)(value ?? '', path),
      nodeTopology: optional(selector),
    }),
    checkUpdate: fixed('nodeTopology', 'storageClassName'),
  },
  'storageclasses.storage.k8s.io': storageClasses,
  'volumeattachments.storage.k8s.io': volumeAttachments,
  'volumeattributesclasses.storage.k8s.io': attributesClasses,
};

/** Members that do not change. */
function fixed(...keys: readonly string[]): NonNullable<KindRules['checkUpdate']> {
  return ({ value, old }) => keys.flatMap((key) => immutable(key, own(value, key), own(old, key)));
}
