/** StatefulSets and DaemonSets. */
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import {
  array,
  equal,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
  text,
} from '@kgen/schema/values/json';
import { claimSpec, claimSpecDefaults } from '../claims.ts';
import { below, type Check, each, listed, members, nonNegative, optional, whole } from '../support/checks.ts';
import { fill } from '../support/fill.ts';
import { labelProblem } from '../support/names.ts';
import type { KindRules } from '../support/rules.ts';
import {
  amount,
  atMostAll,
  counts,
  isZeroAmount,
  sameSelector,
  selection,
  specChecks,
  statusCheck,
  template,
  templateChecks,
} from './parts.ts';

const stsStrategy: Check = whole((value, path) => {
  const type = text(value, 'type');
  const rolling = own(value, 'rollingUpdate');
  const at = below(path, 'rollingUpdate');
  const print = {
    Partition: own(rolling, 'partition') ?? null,
    MaxUnavailable: own(rolling, 'maxUnavailable') ?? null,
  };
  if (type === 'OnDelete')
    return rolling === undefined
      ? []
      : [invalidValue(at, print, "only allowed for updateStrategy 'RollingUpdate'")];
  if (type === 'RollingUpdate') return nonNegative(own(rolling, 'partition'), below(at, 'partition'));
  return [invalidValue(path, { Type: type, RollingUpdate: null }, "must be 'RollingUpdate' or 'OnDelete'")];
});

const stsPolicy: Check = (value, path) =>
  value === 'OrderedReady' || value === 'Parallel'
    ? []
    : [invalidValue(path, value ?? '', "must be 'OrderedReady' or 'Parallel'")];

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

export const statefulSets: KindRules = {
  name: labelProblem,
  generation: true,
  defaults: (value) =>
    withClaims(
      fill(value, {
        in: {
          spec: {
            set: {
              podManagementPolicy: 'OrderedReady',
              replicas: 1,
              revisionHistoryLimit: 10,
              persistentVolumeClaimRetentionPolicy: {},
            },
            in: {
              template,
              persistentVolumeClaimRetentionPolicy: { set: { whenDeleted: 'Retain', whenScaled: 'Retain' } },
              updateStrategy: {
                set: { type: 'RollingUpdate' },
                when: (strategy) =>
                  text(strategy, 'type') === 'RollingUpdate'
                    ? { ...strategy, rollingUpdate: { partition: 0, ...object(strategy, 'rollingUpdate') } }
                    : strategy,
              },
            },
          },
        },
      }),
    ),
  check: specChecks(
    members({
      podManagementPolicy: stsPolicy,
      updateStrategy: stsStrategy,
      persistentVolumeClaimRetentionPolicy: optional(
        members({ whenDeleted: listed('Retain', 'Delete'), whenScaled: listed('Retain', 'Delete') }),
      ),
    }),
    counts,
    members({
      ordinals: optional(members({ start: nonNegative })),
      serviceName: (value, path) => {
        const problem = typeof value === 'string' && value !== '' ? labelProblem(value) : undefined;
        return problem === undefined ? [] : [invalidValue(path, value ?? '', problem)];
      },
      revisionHistoryLimit: () => [],
    }),
    members({ volumeClaimTemplates: each(members({ spec: claimSpec })) }),
    selection('statefulset', true),
    (value, path) => templateChecks(withClaimVolumes(value), path),
  ),
  checkStatus: statusCheck(['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas']),
  checkUpdate: ({ value, old }) => {
    const [spec, before] = [object(value, 'spec'), object(old, 'spec')];
    const fixed = (item: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(item).filter(([key]) => !changeable.includes(key)));
    if (equal(fixed(spec), fixed(before))) return [];
    return [
      forbiddenField(
        'spec',
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
      ),
    ];
  },
};

function withClaims(value: JsonObject): JsonObject {
  const claims = own(object(value, 'spec'), 'volumeClaimTemplates');
  if (!isArray(claims)) return value;
  const complete = claims.map((claim) =>
    isObject(claim)
      ? fill(
          {
            ...claim,
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            status: { phase: 'Pending', ...object(claim, 'status') },
          },
          { in: { spec: claimSpecDefaults } },
        )
      : claim,
  );
  return putAt(value, ['spec', 'volumeClaimTemplates'], complete);
}

/** Containers mount claims like volumes. A claim takes precedence over the volume of its name. */
function withClaimVolumes(spec: Json | undefined): Json | undefined {
  const claims = array(spec, 'volumeClaimTemplates').map((claim) => text(claim, 'metadata', 'name'));
  const template = own(spec, 'template');
  if (claims.length === 0 || !isObject(spec) || !isObject(own(template, 'spec'))) return spec;
  const others = array(template, 'spec', 'volumes').filter(
    (volume) => !claims.includes(text(volume, 'name')),
  );
  const mounted = claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return putAt(spec, ['template', 'spec', 'volumes'], [...mounted, ...others]);
}

const dsStrategy: Check = whole((value, path) => {
  const type = text(value, 'type');
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate')
    return [notSupported(path, { Type: type, RollingUpdate: null }, ['RollingUpdate', 'OnDelete'])];
  const rolling = object(value, 'rollingUpdate');
  const [unavailable, surge] = [own(rolling, 'maxUnavailable'), own(rolling, 'maxSurge')];
  const at = `${path}.rollingUpdate`;
  return [
    ...amount(unavailable, `${at}.maxUnavailable`),
    ...atMostAll(unavailable, `${at}.maxUnavailable`),
    ...amount(surge, `${at}.maxSurge`),
    ...atMostAll(surge, `${at}.maxSurge`),
    ...oneOfBoth(unavailable, surge, at),
  ];
});

function oneOfBoth(
  unavailable: Json | undefined,
  surge: Json | undefined,
  at: string,
): readonly FieldError[] {
  if (isZeroAmount(unavailable) !== isZeroAmount(surge)) return [];
  return isZeroAmount(surge)
    ? [required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]
    : [invalidValue(`${at}.maxSurge`, surge ?? null, 'may not be set when maxUnavailable is non-zero')];
}

const generationKey = 'deprecated.daemonset.template.generation';

export const daemonSets: KindRules = {
  generation: true,
  defaults: (value) => {
    const filled = fill(value, {
      in: {
        spec: {
          set: { revisionHistoryLimit: 10 },
          in: {
            template,
            updateStrategy: {
              set: { type: 'RollingUpdate' },
              when: (strategy) =>
                text(strategy, 'type') === 'RollingUpdate'
                  ? {
                      ...strategy,
                      rollingUpdate: { maxUnavailable: 1, maxSurge: 0, ...object(strategy, 'rollingUpdate') },
                    }
                  : strategy,
            },
          },
        },
      },
    });
    // The annotation is a part of the stored object that the conversion to `apps/v1` adds.
    const known = text(filled, 'metadata', 'annotations', generationKey);
    return known === '' ? putAt(filled, ['metadata', 'annotations', generationKey], '0') : filled;
  },
  create: (value) => putAt(value, ['metadata', 'annotations', generationKey], '1'),
  update: (value, old) => {
    const before = text(old, 'metadata', 'annotations', generationKey) || '1';
    const isNew = !equal(own(object(value, 'spec'), 'template'), own(object(old, 'spec'), 'template'));
    return putAt(
      value,
      ['metadata', 'annotations', generationKey],
      isNew ? String(Number(before) + 1) : before,
    );
  },
  check: specChecks(
    selection('daemonset', false),
    templateChecks,
    members({ minReadySeconds: nonNegative, updateStrategy: dsStrategy, revisionHistoryLimit: nonNegative }),
  ),
  checkUpdate: sameSelector,
};
