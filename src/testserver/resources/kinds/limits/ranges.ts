/** Limit ranges and resource quotas. */

import { type FieldError, invalidValue } from '@kgen/runtime/objects';
import {
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  strings,
  text,
} from '@kgen/schema/values/json';
import { randomUid } from '../../../environment/environment.ts';
import { quantityNanos } from '../../builtin/quantity.ts';
import { rounded } from '../pods/defaults.ts';
import { all, type Check, each, immutable, members, unique } from '../support/checks.ts';
import { qualifiedProblems } from '../support/names.ts';
import type { KindRules } from '../support/rules.ts';
import { scopeTerms } from './scopes.ts';

const bounds = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];

const limit: Check = (value, path) => {
  const type = text(value, 'type');
  const names = new Set(bounds.flatMap((key) => Object.keys(object(value, key))));
  const known = ['Container', 'Pod', 'PersistentVolumeClaim'].includes(type);
  return [
    ...(known ? [] : qualifiedProblems(type).map((detail) => invalidValue(`${path}.type`, type, detail))),
    ...[...names].flatMap((name) => orderErrors(value, name, path)),
  ];
};

/** Bounds that do not exceed others, with the words of the message and the bound that it quotes. */
const orders: readonly (readonly [
  low: string,
  high: string,
  words: readonly [string, string],
  quoted?: string,
])[] = [
  ['min', 'max', ['min value', 'max value']],
  ['defaultRequest', 'max', ['default request value', 'max value']],
  ['default', 'max', ['default value', 'max value'], 'max'],
  ['min', 'default', ['min value', 'default value']],
  ['defaultRequest', 'default', ['default request value', 'default limit value']],
];

function orderErrors(value: Json | undefined, name: string, path: string): readonly FieldError[] {
  const read = (key: string): string | undefined => {
    const found = own(object(value, key), name);
    return found === undefined ? undefined : String(found);
  };
  return orders.flatMap(([low, high, [lowWords, highWords], quoted = low]) => {
    const [a, b] = [read(low), read(high)];
    if (a === undefined || b === undefined || (quantityNanos(a) ?? 0n) <= (quantityNanos(b) ?? 0n)) return [];
    const detail = `${lowWords} ${a} is greater than ${highWords} ${b}`;
    return [invalidValue(`${path}.${low}[${name}]`, read(quoted) ?? '', detail)];
  });
}

export const limitRanges: KindRules = {
  createOnUpdate: true,
  create: (value, cluster) => {
    const isNamed = ['name', 'generateName'].some((key) => text(value, 'metadata', key) !== '');
    if (isNamed) return value;
    return { ...value, metadata: { name: randomUid(cluster), ...omit(object(value, 'metadata'), 'name') } };
  },
  defaults: (value) => {
    const limits = own(object(value, 'spec'), 'limits');
    if (!isArray(limits)) return value;
    return putAt(
      value,
      ['spec', 'limits'],
      limits.map((item) => (isObject(item) ? limitDefaults(item) : item)),
    );
  },
  check: members({ spec: members({ limits: all(each(limit), unique('type')) }) }),
};

/** Defaults of one limit: `default` is `max`, `defaultRequest` is `default`, then `min`. */
function limitDefaults(limit: JsonObject): JsonObject {
  const canonical = fromEntries(
    Object.entries(limit).map(([key, item]) => [
      key,
      bounds.includes(key) && isObject(item) ? rounded(item) : item,
    ]),
  );
  if (text(canonical, 'type') !== 'Container') return canonical;
  const defaults = { ...object(canonical, 'max'), ...object(canonical, 'default') };
  const requests = { ...object(canonical, 'min'), ...defaults, ...object(canonical, 'defaultRequest') };
  return {
    ...canonical,
    ...(Object.keys(defaults).length === 0 ? {} : { default: defaults }),
    ...(Object.keys(requests).length === 0 ? {} : { defaultRequest: requests }),
  };
}

const objectCounts = [
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const standardQuota = [
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  ...objectCounts,
];
const scopes = [
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
];

const hard: Check = (value, path) =>
  Object.entries(object(value)).flatMap(([name, item]) => {
    const at = `${path}[${name}]`;
    const nanos = quantityNanos(String(item)) ?? 0n;
    const isCount = objectCounts.includes(name) || name.startsWith('count/');
    const isKnown =
      name.includes('/') ||
      standardQuota.includes(name) ||
      /^(requests|limits)\.hugepages-|^hugepages-/.test(name);
    return [
      ...(isKnown
        ? []
        : [
            invalidValue(at, name, 'must be a standard resource type or fully qualified'),
            invalidValue(at, name, 'must be a standard resource for quota'),
          ]),
      ...(nanos < 0n ? [invalidValue(at, String(item), 'must be greater than or equal to 0')] : []),
      ...(isCount && nanos % 1_000_000_000n !== 0n
        ? [invalidValue(at, String(item), 'must be an integer')]
        : []),
    ];
  });

export const resourceQuotas: KindRules = {
  defaults: (value) => {
    const list = own(object(value, 'spec'), 'hard');
    return isObject(list) ? putAt(value, ['spec', 'hard'], rounded(list)) : value;
  },
  check: members({
    spec: members({
      hard,
      scopes: (value, path) =>
        strings(value).some((scope) => !scopes.includes(scope))
          ? [invalidValue(path, strings(value), 'unsupported scope')]
          : [],
      scopeSelector: members({ matchExpressions: scopeTerms }),
    }),
  }),
  checkUpdate: ({ value, old }) =>
    immutable('spec.scopes', own(object(value, 'spec'), 'scopes'), own(object(old, 'spec'), 'scopes')),
};
