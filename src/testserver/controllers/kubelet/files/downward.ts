/**
 * Values of the downward API.
 * @see https://kubernetes.io/docs/concepts/workloads/pods/downward-api/
 */

import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { quantityNanos } from '../../../resources/builtin/quantity.ts';

/** Returns the value of a field of a pod. */
export function fieldValue(pod: JsonObject, path: string): string {
  const [, name, key] = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(path) ?? [];
  if (name !== undefined && key !== undefined) return text(pod, 'metadata', name, key);
  const lines = mapped.get(path);
  if (lines !== undefined) return linesOf(object(pod, 'metadata', lines));
  const addresses = listed.get(path);
  if (addresses !== undefined) {
    return array(pod, 'status', addresses)
      .map((item) => text(item, 'ip'))
      .join(',');
  }
  const [section = '', member = ''] = path.split('.');
  return text(pod, section, member);
}

const mapped: ReadonlyMap<string, string> = new Map([
  ['metadata.labels', 'labels'],
  ['metadata.annotations', 'annotations'],
]);

const listed: ReadonlyMap<string, string> = new Map([
  ['status.podIPs', 'podIPs'],
  ['status.hostIPs', 'hostIPs'],
]);

function linesOf(entries: JsonObject): string {
  return Object.keys(entries)
    .sort()
    .map((key) => `${key}=${JSON.stringify(text(entries, key))}`)
    .join('\n');
}

/**
 * Returns a request or limit of a container, divided and rounded up. Limits default to those of the pod, and
 * to what its node has.
 */
export function resourceValue(
  pod: JsonObject,
  container: Json,
  ref: Json,
  node: JsonObject | undefined,
): string {
  const [list = '', ...rest] = text(ref, 'resource').split('.');
  const name = rest.join('.');
  const set = own(object(container, 'resources', list), name);
  const level = own(object(pod, 'spec', 'resources', list), name);
  const allocatable = list === 'limits' ? own(object(node, 'status', 'allocatable'), name) : undefined;
  const amount = quantityNanos(String(set ?? level ?? allocatable ?? '0')) ?? 0n;
  const divisor = quantityNanos(String(own(object(ref), 'divisor') ?? '1')) ?? 0n;
  const by = divisor > 0n ? divisor : 1_000_000_000n;
  return String((amount + by - 1n) / by);
}
