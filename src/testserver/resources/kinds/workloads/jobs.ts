/** Jobs and cron jobs. */
import { type FieldError, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import {
  array,
  compact,
  equal,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  text,
} from '@kgen/schema/values/json';
import { matchesSelector } from '../../label-selector.ts';
import { podSpecDefaults } from '../pods/defaults.ts';
import { podTemplate } from '../pods/spec.ts';
import {
  all,
  below,
  type Check,
  immutable,
  listed,
  members,
  nonNegative,
  oneOf,
  optional,
  whole,
} from '../support/checks.ts';
import { type Fill, fill } from '../support/fill.ts';
import { labelProblem } from '../support/names.ts';
import type { KindRules } from '../support/rules.ts';
import { parseSchedule } from './cron-schedule.ts';
import { failurePolicy, successPolicy } from './job-policies.ts';

const uidLabel = 'batch.kubernetes.io/controller-uid';
const nameLabel = 'batch.kubernetes.io/job-name';

const template = { in: { spec: podSpecDefaults } };
const podFailurePolicy: Fill = {
  each: { rules: { each: { onPodConditions: { set: { status: 'True' } } } } },
};

const selection: Check = whole((value, path) => {
  const selector = own(value, 'selector');
  const labels = object(value, 'template', 'metadata', 'labels');
  const at = `${path}.template.metadata.labels`;
  const shown = Object.keys(labels).length === 0 ? null : labels;
  const mismatch = invalidValue(at, shown, '`selector` does not match template `labels`');
  if (!isObject(selector)) return [required(below(path, 'selector')), mismatch];
  const { matchLabels = {}, ...others } = selector;
  const isOwn =
    own(value, 'manualSelector') === true ||
    (Object.keys(object(matchLabels)).length === 1 && array(others, 'matchExpressions').length === 0);
  const printed = { matchLabels, ...others };
  return [
    ...(isOwn ? [] : [invalidValue(below(path, 'selector'), printed, '`selector` not auto-generated')]),
    ...(matchesSelector(labels, selector) ? [] : [mismatch]),
  ];
});

const restartPolicy: Check = whole((value, path) => {
  const policy = text(value, 'spec', 'restartPolicy');
  const at = `${path}.spec.restartPolicy`;
  if (policy === 'OnFailure' || policy === 'Never') return [];
  if (policy === '' || policy === 'Always') return [required(at, 'valid values: "OnFailure", "Never"')];
  return [notSupported(at, policy, ['OnFailure', 'Never'])];
});

/** Members that only a job with indexes has. */
const perIndex: Check = whole((value, path) => [
  ...(own(value, 'maxFailedIndexes') !== undefined && own(value, 'backoffLimitPerIndex') === undefined
    ? [required(below(path, 'backoffLimitPerIndex'), 'when maxFailedIndexes is specified')]
    : []),
  ...(text(value, 'completionMode') !== 'NonIndexed'
    ? []
    : ['backoffLimitPerIndex', 'maxFailedIndexes', 'successPolicy'].flatMap((key) => {
        const item = own(value, key);
        const detail = 'requires indexed completion mode';
        return item === undefined ? [] : [invalidValue(below(path, key), item, detail)];
      })),
]);

const indexed: Check = whole((value, path) =>
  text(value, 'completionMode') === 'Indexed' && own(value, 'completions') === undefined
    ? [required(below(path, 'completions'), 'when completion mode is Indexed')]
    : [],
);

/** A policy for failures restricts the policies for restarts and replacements. */
const policies: Check = whole((value, path) => {
  const isRestricted = own(value, 'podFailurePolicy') !== undefined;
  const restart = text(value, 'template', 'spec', 'restartPolicy');
  const supported = isRestricted ? oneOf('Failed') : oneOf('Failed', 'TerminatingOrFailed');
  return [
    ...optional(supported)(own(value, 'podReplacementPolicy'), below(path, 'podReplacementPolicy')),
    ...(isRestricted && restart === 'OnFailure'
      ? [
          invalidValue(
            `${path}.template.spec.restartPolicy`,
            restart,
            'only "Never" is supported when podFailurePolicy is specified',
          ),
        ]
      : []),
  ];
});

const jobSpec: readonly Check[] = [
  members({
    parallelism: nonNegative,
    completions: nonNegative,
    activeDeadlineSeconds: nonNegative,
    backoffLimit: nonNegative,
    backoffLimitPerIndex: nonNegative,
    maxFailedIndexes: nonNegative,
    ttlSecondsAfterFinished: nonNegative,
    completionMode: optional(listed('NonIndexed', 'Indexed')),
    template: (value, path) => [...podTemplate(value, path), ...restartPolicy(value, path)],
  }),
  failurePolicy,
  perIndex,
  indexed,
  successPolicy,
  policies,
];

/** The pods of a job with indexes have hostnames of its name and the index. */
const hostnames: Check = whole((value) => {
  const [name, spec] = [text(value, 'metadata', 'name'), object(value, 'spec')];
  const completions = Number(own(spec, 'completions') ?? 0);
  if (text(spec, 'completionMode') !== 'Indexed' || completions <= 0) return [];
  const last = `${name}-${completions - 1}`;
  if (labelProblem(last) === undefined) return [];
  return [invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${last}`)];
});

const jobs: KindRules = {
  generation: true,
  defaults: withJobDefaults,
  create: (value) => {
    const selected = withSelector(value);
    // Labels that the defaults copied from the template are those of the template, unless the whole object
    // was copied to try a generated name.
    const [prefix, name] = [text(value, 'metadata', 'generateName'), text(value, 'metadata', 'name')];
    const isGenerated = prefix !== '' && name.startsWith(prefix) && name.length === prefix.length + 5;
    const present = object(value, 'metadata', 'labels');
    const isCopied =
      Object.keys(present).length === 0 ||
      (!isGenerated && equal(present, object(value, 'spec', 'template', 'metadata', 'labels')));
    const labels = object(selected, 'spec', 'template', 'metadata', 'labels');
    return isCopied && Object.keys(labels).length > 0
      ? putAt(selected, ['metadata', 'labels'], labels)
      : selected;
  },
  check: all(
    members({ spec: (value, path) => [selection, ...jobSpec].flatMap((check) => check(value, path)) }),
    hostnames,
  ),
  checkUpdate: ({ value, old }) =>
    jobUpdate(object(value, 'spec'), object(old, 'spec'), object(old, 'status')),
};

/** The server selects the pods of a job by the UID of the job. */
function withSelector(value: JsonObject): JsonObject {
  if (own(object(value, 'spec'), 'manualSelector') === true) return value;
  const [uid, name] = [text(value, 'metadata', 'uid'), text(value, 'metadata', 'name')];
  const labels = { [uidLabel]: uid, [nameLabel]: name, 'controller-uid': uid, 'job-name': name };
  const templated = addLabels(value, ['spec', 'template', 'metadata', 'labels'], labels);
  return addLabels(templated, ['spec', 'selector', 'matchLabels'], { [uidLabel]: uid });
}

function addLabels(value: JsonObject, path: readonly string[], labels: JsonObject): JsonObject {
  return putAt(value, path, { ...object(value, ...path), ...labels });
}

function withJobDefaults(value: JsonObject): JsonObject {
  const filled = fill(value, {
    in: {
      spec: {
        set: {
          suspend: false,
          manualSelector: false,
          podReplacementPolicy: '',
        },
        in: { template, podFailurePolicy },
        when: withCounts,
      },
    },
  });
  const labels = object(filled, 'spec', 'template', 'metadata', 'labels');
  const hasOwn = Object.keys(object(filled, 'metadata', 'labels')).length > 0;
  return hasOwn || Object.keys(labels).length === 0 ? filled : putAt(filled, ['metadata', 'labels'], labels);
}

function withCounts(spec: JsonObject): JsonObject {
  const [completions, parallelism] = [own(spec, 'completions'), own(spec, 'parallelism')];
  const both =
    completions === undefined && parallelism === undefined ? { completions: 1, parallelism: 1 } : {};
  const limit = own(spec, 'backoffLimitPerIndex') === undefined ? 6 : 2 ** 31 - 1;
  const policy = own(spec, 'podFailurePolicy') === undefined ? 'TerminatingOrFailed' : 'Failed';
  return {
    // A pointer: an empty string is a value.
    completionMode: 'NonIndexed',
    parallelism: 1,
    backoffLimit: limit,
    ...both,
    ...spec,
    podReplacementPolicy: text(spec, 'podReplacementPolicy') || policy,
  };
}

function jobUpdate(spec: JsonObject, old: JsonObject, status: JsonObject): readonly FieldError[] {
  const isIndexed = text(spec, 'completionMode') === 'Indexed';
  const completions = own(spec, 'completions');
  // Without completions, an indexed job is invalid anyway.
  const isScaled = completions === undefined || equal(completions, own(spec, 'parallelism'));
  const scaling =
    isScaled || equal(completions, own(old, 'completions'))
      ? []
      : [
          invalidValue(
            'spec.completions',
            completions,
            'can only be modified in tandem with spec.parallelism',
          ),
        ];
  const fixed = (key: string): readonly FieldError[] =>
    immutable(`spec.${key}`, own(spec, key), own(old, key));
  return [
    ...(isIndexed ? scaling : fixed('completions')),
    ...fixed('selector'),
    ...templateUpdate(object(spec, 'template'), object(old, 'template'), mayChangeTemplate(old, status)),
    ...['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'].flatMap(
      fixed,
    ),
  ];
}

/** A suspended job without running pods may change where its pods run, and their resources. */
function mayChangeTemplate(old: JsonObject, status: JsonObject): boolean {
  const isStopped = array(status, 'conditions').some(
    (condition) => text(condition, 'type') === 'Suspended' && text(condition, 'status') === 'True',
  );
  return (
    own(old, 'suspend') === true &&
    (own(status, 'startTime') === undefined || isStopped) &&
    (own(status, 'active') ?? 0) === 0
  );
}

function templateUpdate(template: JsonObject, old: JsonObject, mayChange: boolean): readonly FieldError[] {
  if (!mayChange) return equal(template, old) ? [] : [immutablePart('spec.template')];
  const [spec, before] = [object(template, 'spec'), object(old, 'spec')];
  return equal(fixedPart(spec, before), fixedPart(before, spec)) ? [] : [immutablePart('spec.template.spec')];
}

/** Returns what a suspended job must not change. */
function fixedPart(spec: JsonObject, other: JsonObject): JsonObject {
  const rest = omit(spec, 'nodeSelector', 'tolerations', 'schedulingGates', 'affinity');
  const affinity = omit(object(spec, 'affinity'), 'nodeAffinity');
  return compact({
    ...rest,
    // An affinity without rules differs from none only if both updates have one.
    affinity: Object.keys(affinity).length > 0 ? affinity : undefined,
    containers: withoutResources(spec, other, 'containers'),
    initContainers: withoutResources(spec, other, 'initContainers'),
  });
}

/** Resources belong to the container of the same name at the same place. */
function withoutResources(spec: JsonObject, other: JsonObject, key: string): Json | undefined {
  const [items, others] = [own(spec, key), array(other, key)];
  if (!isArray(items) || items.length !== others.length) return items;
  return items.map((item, index) =>
    isObject(item) && text(item, 'name') === text(others[index], 'name') ? omit(item, 'resources') : item,
  );
}

/** The server prints its internal type as the value. */
function immutablePart(field: string): FieldError {
  return { reason: 'FieldValueInvalid', field, value: {}, detail: 'field is immutable' };
}

const schedule: Check = (value, path) => {
  const line = String(value ?? '');
  if (line === '') return [required(path)];
  if (line.includes('TZ'))
    return [invalidValue(path, line, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')];
  const parsed = parseSchedule(line);
  return typeof parsed === 'string' ? [invalidValue(path, line, parsed)] : [];
};

const timeZone: Check = (value, path) => {
  const name = String(value);
  if (name === '') return [invalidValue(path, name, 'timeZone must be nil or non-empty string')];
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return [];
  } catch {
    return [invalidValue(path, name, `unknown time zone ${name}`)];
  }
};

const cronJobs: KindRules = {
  generation: true,
  defaults: (value) =>
    fill(value, {
      in: {
        spec: {
          set: {
            concurrencyPolicy: 'Allow',
            suspend: false,
            successfulJobsHistoryLimit: 3,
            failedJobsHistoryLimit: 1,
          },
          in: { jobTemplate: { in: { spec: { in: { template, podFailurePolicy } } } } },
        },
      },
    }),
  check: (value) => {
    const name = text(value, 'metadata', 'name');
    return [
      ...cronSpec(own(value, 'spec'), 'spec'),
      ...(name.length > 52
        ? [invalidValue('metadata.name', name, 'must be no more than 52 characters')]
        : []),
    ];
  },
};

const cronSpec: Check = members({
  schedule,
  startingDeadlineSeconds: nonNegative,
  timeZone: optional(timeZone),
  concurrencyPolicy: listed('Allow', 'Forbid', 'Replace'),
  jobTemplate: members({
    spec: (value, path) => [
      ...jobSpec.flatMap((check) => check(withoutReplacement(value), path)),
      ...(own(value, 'manualSelector') === true
        ? [notSupported(below(path, 'manualSelector'), true, ['nil', 'false'])]
        : []),
    ],
  }),
  successfulJobsHistoryLimit: nonNegative,
  failedJobsHistoryLimit: nonNegative,
});

function withoutReplacement(value: Parameters<Check>[0]): Parameters<Check>[0] {
  return isObject(value) && text(value, 'podReplacementPolicy') === ''
    ? omit(value, 'podReplacementPolicy')
    : value;
}

/** Rules by storage key. */
export const jobRules: Readonly<Record<string, KindRules>> = {
  'jobs.batch': jobs,
  'cronjobs.batch': cronJobs,
};
