/** The admission plugin LimitRanger: defaults and limits of containers and pods in a namespace. */

import {
  array,
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
  replace,
  text,
} from '@kgen/schema/values/json';
import { forbidden } from '../../../errors/failures.ts';
import { quantityNanos, quantityOf } from '../../builtin/quantity.ts';
import type { Cluster } from '../support/rules.ts';

const pods = { group: '', plural: 'pods' };

/**
 * Returns a pod with the default requests and limits of the namespace. @throws {Failure} 403 if it exceeds
 * one
 */
export function applyLimits(value: JsonObject, cluster: Cluster): JsonObject {
  const ranges = cluster.store.list('limitranges', `${text(value, 'metadata', 'namespace')}/`);
  const limits = ranges.flatMap(([, range]) => array(range, 'spec', 'limits'));
  if (limits.length === 0) return value;
  const defaulted = limits
    .filter((limit) => text(limit, 'type') === 'Container')
    .reduce<JsonObject>(withDefaults, value);
  const problems = [...new Set(limits.flatMap((limit) => problemsOf(defaulted, limit)))];
  if (problems.length === 0) return defaulted;
  const list = problems.length === 1 ? problems.join('') : `[${problems.join(', ')}]`;
  throw forbidden(pods, text(value, 'metadata', 'name'), list);
}

function withDefaults(value: JsonObject, limit: Json): JsonObject {
  const notes: string[] = [];
  const next = ['containers', 'initContainers'].reduce((result, key) => {
    const items = own(object(result, 'spec'), key);
    if (!isArray(items)) return result;
    const complete = items.map((item) => (isObject(item) ? complete_(item, limit, key, notes) : item));
    return putAt(result, ['spec', key], complete);
  }, value);
  if (notes.length === 0) return next;
  const note = `LimitRanger plugin set: ${notes.join('; ')}`;
  return putAt(next, ['metadata', 'annotations', 'kubernetes.io/limit-ranger'], note);
}

function complete_(item: JsonObject, limit: Json, key: string, notes: string[]): JsonObject {
  const kind = key === 'containers' ? 'container' : 'init container';
  const filled = [
    ['requests', 'defaultRequest', 'request'],
    ['limits', 'default', 'limit'],
  ].reduce((result, [list = '', source = '', word = '']) => {
    const given = object(result, 'resources', list);
    const missing = Object.entries(object(limit, source)).filter(([name]) => own(given, name) === undefined);
    if (missing.length === 0) return result;
    const names = missing.map(([name]) => name).sort();
    notes.push(`${names.join(', ')} ${word} for ${kind} ${text(item, 'name')}`);
    return putAt(result, ['resources', list], { ...given, ...Object.fromEntries(missing) });
  }, item);
  return replace(filled, 'resources', object(filled, 'resources'));
}

function problemsOf(value: JsonObject, limit: Json): readonly string[] {
  const type = text(limit, 'type');
  if (type === 'Container') {
    return ['containers', 'initContainers'].flatMap((key) =>
      array(value, 'spec', key).flatMap((item) => problemsIn(object(item, 'resources'), limit, type)),
    );
  }
  return type === 'Pod' ? problemsIn(totals(value), limit, type) : [];
}

function problemsIn(resources: JsonObject, limit: Json, type: string): readonly string[] {
  const read = (list: JsonObject, name: string): string | undefined => {
    const found = own(list, name);
    return found === undefined ? undefined : String(found);
  };
  const names = [...new Set(['min', 'max'].flatMap((key) => Object.keys(object(limit, key))))].sort();
  return names.flatMap((name) => {
    const [min, max] = [read(object(limit, 'min'), name), read(object(limit, 'max'), name)];
    const [request, bound] = [
      read(object(resources, 'requests'), name),
      read(object(resources, 'limits'), name),
    ];
    return [
      ...(min === undefined ? [] : below(name, type, 'minimum', min, request, bound)),
      ...(max === undefined ? [] : above(name, type, max, request, bound)),
    ];
  });
}

function below(
  name: string,
  type: string,
  word: string,
  min: string,
  request?: string,
  limit?: string,
): readonly string[] {
  if (request === undefined) return [`${word} ${name} usage per ${type} is ${min}.  No request is specified`];
  if (nanos(request) < nanos(min))
    return [`${word} ${name} usage per ${type} is ${min}, but request is ${request}`];
  return limit !== undefined && nanos(limit) < nanos(min)
    ? [`${word} ${name} usage per ${type} is ${min}, but limit is ${limit}`]
    : [];
}

function nanos(value: string | undefined): bigint {
  return quantityNanos(value ?? '0') ?? 0n;
}

function above(name: string, type: string, max: string, request?: string, limit?: string): readonly string[] {
  if (limit === undefined) return [`maximum ${name} usage per ${type} is ${max}.  No limit is specified`];
  if (nanos(limit) > nanos(max))
    return [`maximum ${name} usage per ${type} is ${max}, but limit is ${limit}`];
  return request !== undefined && nanos(request) > nanos(max)
    ? [`maximum ${name} usage per ${type} is ${max}, but request is ${request}`]
    : [];
}

/** Returns the sums of the requests and limits of all containers. */
function totals(value: JsonObject): JsonObject {
  const sum = (list: string): JsonObject => {
    const sums = new Map<string, string>();
    for (const item of array(value, 'spec', 'containers')) {
      for (const [name, amount] of Object.entries(object(item, 'resources', list))) {
        const total = nanos(sums.get(name)) + nanos(String(amount));
        sums.set(name, quantityOf(total, String(amount)));
      }
    }
    return fromEntries(sums);
  };
  return { requests: sum('requests'), limits: sum('limits') };
}
