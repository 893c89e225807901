/** Kinds of `storage.k8s.io`: drivers, classes and attachments of volumes. */
import { forbiddenField, required } from '@kgen/runtime/objects';
import { array, equal, object, own, putAt } from '@kgen/schema/values/json';
import { withProtection } from '../claims.ts';
import { immutable, members, present, valid } from '../support/checks.ts';
import { fill } from '../support/fill.ts';
import { subdomainProblem } from '../support/names.ts';
import { type KindRules, restoredMetadata } from '../support/rules.ts';

const tokensInContext =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

const csiDrivers: KindRules = {
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

const volumeAttachments: KindRules = {
  unconditionalUpdate: false,
  statusKeeps: restoredMetadata,
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
  checkUpdate: fixed('spec'),
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
  checkUpdate: ({ value, old }) =>
    ['driverName', 'parameters']
      .filter((key) => !equal(own(value, key) ?? null, own(old, key) ?? null))
      .map((key) => forbiddenField(key, `updates to ${key} are forbidden.`)),
};

/** Rules by storage key. */
export const storageRules: Readonly<Record<string, KindRules>> = {
  'csidrivers.storage.k8s.io': csiDrivers,
  'csinodes.storage.k8s.io': { unconditionalUpdate: false },
  'csistoragecapacities.storage.k8s.io': {
    unconditionalUpdate: false,
    check: members({ storageClassName: (value, path) => valid(subdomainProblem)(value ?? '', path) }),
    checkUpdate: fixed('nodeTopology', 'storageClassName'),
  },
  'storageclasses.storage.k8s.io': {
    defaults: (value) => fill(value, { set: { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' } }),
    check: members({ provisioner: present() }),
    checkUpdate: fixed('parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'),
  },
  'volumeattachments.storage.k8s.io': volumeAttachments,
  'volumeattributesclasses.storage.k8s.io': attributesClasses,
};

/** Members that do not change. */
function fixed(...keys: readonly string[]): NonNullable<KindRules['checkUpdate']> {
  return ({ value, old }) => keys.flatMap((key) => immutable(key, own(value, key), own(old, key)));
}
