/** Values of workloads that several controllers read and write. */

import {
  at,
  compact,
  equal,
  fromEntries,
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
import { writeJson } from '@kgen/schema/values/wire';
import { alphabet } from '../../environment/environment.ts';
import { matchesSelector } from '../../resources/label-selector.ts';
import { conditionOf, isDeleting, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { controllerReference, type ResourcePath } from '../cluster.ts';

/** Returns the number at the path `keys`, or `missing`. */
export function number(value: Json | undefined, missing: number, ...keys: readonly string[]): number {
  const found = at(value, ...keys);
  return typeof found === 'number' || typeof found === 'bigint' ? Number(found) : missing;
}

/** Compares objects by creation time, then by name. */
export function byCreation(a: JsonObject, b: JsonObject): number {
  const [left, right] = [a, b].map(
    (value) => `${text(value, 'metadata', 'creationTimestamp')} ${nameOf(value)}`,
  );
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

/** Returns whether an object has the labels that a label selector selects. An empty selector selects all. */
export function isSelectedBy(selector: Json | undefined, value: JsonObject): boolean {
  return isObject(selector) && matchesSelector(object(value, 'metadata', 'labels'), selector);
}

/** Returns the scaled value of a number or a percentage. */
export function scaled(value: Json | undefined, total: number, round: (value: number) => number): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? Number.parseInt(value, 10) : 0;
  return round((total * percent) / 100);
}

/** Returns whether a pod neither ended nor is being deleted. */
export function isActive(pod: JsonObject): boolean {
  return !isFinished(pod) && !isDeleting(pod);
}

/** Returns whether a pod is being deleted and has not ended. */
export function isTerminating(pod: JsonObject): boolean {
  return isDeleting(pod) && !isFinished(pod);
}

/** Returns whether all containers of a pod ended. */
export function isFinished(pod: Json | undefined): boolean {
  return ['Succeeded', 'Failed'].includes(text(pod, 'status', 'phase'));
}

/**
 * Returns the milliseconds until a pod has been ready for `minReadySeconds`. `undefined` if it is not ready.
 */
export function untilAvailable(pod: JsonObject, minReadySeconds: number, now: number): number | undefined {
  const ready = conditionOf(pod, 'Ready');
  if (text(ready, 'status') !== 'True') return undefined;
  const since = Date.parse(text(ready, 'lastTransitionTime'));
  return Math.max(0, since + minReadySeconds * 1_000 - now);
}

/** Returns the conditions with `next` instead of the one of its type, which keeps its time. */
export function withCondition(conditions: readonly Json[], next: JsonObject): readonly Json[] {
  const type = text(next, 'type');
  const before = conditions.find((condition) => text(condition, 'type') === type);
  const isSame = before !== undefined && text(before, 'status') === text(next, 'status');
  if (before !== undefined && isSame && text(before, 'reason') === text(next, 'reason')) return conditions;
  const time = isSame
    ? (own(before, 'lastTransitionTime') ?? null)
    : (own(next, 'lastTransitionTime') ?? null);
  const others = conditions.filter((condition) => condition !== before);
  return [...others, { ...next, lastTransitionTime: time }];
}

/** Returns the conditions without those of a type. */
export function withoutCondition(conditions: readonly Json[], type: string): readonly Json[] {
  return conditions.filter((condition) => text(condition, 'type') !== type);
}

/** Returns a pod of a template, without a name. */
export function podOf(
  template: Json | undefined,
  path: ResourcePath,
  owner: JsonObject,
  metadata: JsonObject = {},
): JsonObject {
  const given = object(template, 'metadata');
  return {
    metadata: compact({
      namespace: namespaceOf(owner),
      labels: own(given, 'labels'),
      annotations: own(given, 'annotations'),
      finalizers: own(given, 'finalizers'),
      ownerReferences: [controllerReference(path, owner)],
      ...metadata,
    }),
    spec: object(template, 'spec'),
  };
}

/** Returns a template without a label. */
export function withoutLabel(template: JsonObject, key: string): JsonObject {
  const labels = omit(object(template, 'metadata', 'labels'), key);
  return putAt(template, ['metadata', 'labels'], labels);
}

/** Returns a hash of a value for labels and names. It differs from that of a real cluster. */
export function hashOf(value: Json, collisions: number): string {
  const canonical = writeJson(withSortedMembers(value)) + (collisions === 0 ? '' : String(collisions));
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(canonical)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return [...String(hash)].map((digit) => alphabet.charAt(digit.charCodeAt(0) % alphabet.length)).join('');
}

/** Returns a value whose objects have their members in alphabetical order. */
export function withSortedMembers(value: JsonObject): JsonObject;
export function withSortedMembers(value: Json): Json;
export function withSortedMembers(value: Json): Json {
  if (isArray(value)) return value.map((item) => withSortedMembers(item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return fromEntries(entries.map(([key, item]) => [key, withSortedMembers(item)]));
}

/** Returns a status without members that are `undefined` or 0, which the API omits. */
export function statusOf(members: { readonly [key: string]: Json | undefined }): JsonObject {
  return fromEntries(
    Object.entries(members).flatMap(([key, value]): [string, Json][] =>
      value === undefined || value === 0 || (isArray(value) && value.length === 0) ? [] : [[key, value]],
    ),
  );
}

/** Returns whether two statuses are equal. */
export function sameStatus(a: JsonObject, b: JsonObject): boolean {
  return equal(a, b);
}

/** Returns the lowest number. `undefined` without any. */
export function earliest(numbers: readonly number[]): number | undefined {
  return numbers.reduce<number | undefined>(
    (low, each) => (low === undefined || each < low ? each : low),
    undefined,
  );
}

/** Returns the highest number, at least 0. */
export function latest(numbers: readonly number[]): number {
  return numbers.reduce((high, each) => (each > high ? each : high), 0);
}
