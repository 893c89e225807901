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
import { quotaScopes, scopeTerms } from './scopes.ts';

const bounds = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];

const limit: Check = (value, path) => {
  const type = text(value, 'type');
  const names = new Set(bounds.flatMap((key) => Object.keys(object(value, key))));
  const known = ['Container', 'Pod', 'PersistentVolumeClaim'].includes(type);
  return [
    ...(known ? [] : typeErrors(type, `${path}.type`)),
    ...[...names].flatMap((name) => [...orderErrors(value, name, path), ...ratioErrors(value, name, path)]),
  ];
};

function typeErrors(type: string, path: string): readonly FieldError[] {
  const problems = qualifiedProblems(type);
  const details = problems.length > 0 || type.includes('/') ? problems : [unknownType];
  return details.map((detail) => invalidValue(path, type, detail));
}

const unknownType = 'must be a standard limit type or fully qualified';

/** A ratio is at least 1, and at most that of the bounds. */
function ratioErrors(value: Json | undefined, name: string, path: string): readonly FieldError[] {
  const ratio = own(object(value, 'maxLimitRequestRatio'), name);
  if (ratio === undefined) return [];
  const read = (key: string): number => {
    const found = own(object(value, key), name);
    return found === undefined ? 0 : Number(quantityNanos(String(found)) ?? 0n);
  };
  const [given, high, low] = [Number(quantityNanos(String(ratio)) ?? 0n) / 1e9, read('max'), read('min')];
  const at = `${path}.maxLimitRequestRatio[${name}]`;
  const error = (detail: string): FieldError =>
    invalidValue(at, String(ratio), `ratio ${String(ratio)} is ${detail}`);
  return [
    ...(given < 1 ? [error('less than 1')] : []),
    ...(low !== 0 && high !== 0 && given > high / low
      ? [error(`greater than max/min = ${(high / low).toFixed(6)}`)]
      : []),
  ];
}

/** A bound that does not exceed another one. */
interface Order {
  readonly low: string;
  readonly high: string;
  readonly words: readonly [low: string, high: string];
  /** The bound that an error is about. Default: the low one. */
  readonly of?: string;
  /** The bound whose value an error quotes. Default: that which it is about. */
  readonly quoted?: string;
}

const orders: readonly Order[] = [
  { low: 'min', high: 'max', words: ['min value', 'max value'] },
  { low: 'defaultRequest', high: 'max', words: ['default request value', 'max value'] },
  { low: 'default', high: 'max', words: ['default value', 'max value'], quoted: 'max' },
  {
    ...{ low: 'min', high: 'defaultRequest', of: 'defaultRequest' },
    words: ['min value', 'default request value'],
  },
  { low: 'min', high: 'default', words: ['min value', 'default value'], of: 'default', quoted: 'min' },
  { low: 'defaultRequest', high: 'default', words: ['default request value', 'default limit value'] },
];

function orderErrors(value: Json | undefined, name: string, path: string): readonly FieldError[] {
  const read = (key: string): string | undefined => {
    const found = own(object(value, key), name);
    return found === undefined ? undefined : String(found);
  };
  return orders.flatMap(({ low, high, words: [lowWords, highWords], of = low, quoted = of }) => {
    const [a, b] = [read(low), read(high)];
    if (a === undefined || b === undefined || (quantityNanos(a) ?? 0n) <= (quantityNanos(b) ?? 0n)) return [];
    const detail = `${lowWords} ${a} is greater than ${highWords} ${b}`;
    return [invalidValue(`${path}.${of}[${name}]`, read(quoted) ?? '', detail)];
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
        strings(value).some((scope) => !quotaScopes.includes(scope))
          ? [invalidValue(path, strings(value), 'unsupported scope')]
          : [],
      scopeSelector: members({ matchExpressions: scopeTerms }),
    }),
  }),
  checkUpdate: ({ value, old }) =>
    immutable('spec.scopes', own(object(value, 'spec'), 'scopes'), own(object(old, 'spec'), 'scopes')),
};
