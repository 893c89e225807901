/** Admission plugins that complete pods: Priority, DefaultTolerationSeconds, RuntimeClass, LimitRanger. */

import {
  array,
  equal,
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
import { nameOf } from '../../../store/object-facts.ts';
import type { Cluster } from '../support/rules.ts';
import { applyLimits } from './limits.ts';
import { withServiceAccount } from './service-account.ts';

const pods = { group: '', plural: 'pods' };

/**
 * Returns a pod as the admission plugins change it.
 * @throws {Failure} 403
 */
export function admitPod(value: JsonObject, old: JsonObject | undefined, cluster: Cluster): JsonObject {
  if (old !== undefined) return withTolerations(value);
  const limited = applyLimits(value, cluster);
  const accounted = withServiceAccount(limited, cluster);
  return withTolerations(withPriority(withRuntimeClass(accounted, cluster), cluster));
}

function withRuntimeClass(value: JsonObject, cluster: Cluster): JsonObject {
  const name = own(object(value, 'spec'), 'runtimeClassName');
  if (typeof name !== 'string') return value;
  const found = cluster.store.get('runtimeclasses.node.k8s.io', name);
  if (found === undefined)
    throw forbidden(pods, nameOf(value), `pod rejected: RuntimeClass "${name}" not found`);
  const overhead = own(object(found, 'overhead'), 'podFixed');
  const placed = withScheduling(value, found);
  return isObject(overhead) ? putAt(placed, ['spec', 'overhead'], overhead) : placed;
}

/** Adds the node selector and the tolerations of a runtime class. */
function withScheduling(value: JsonObject, runtimeClass: JsonObject): JsonObject {
  const scheduling = object(runtimeClass, 'scheduling');
  const [added, selector] = [object(scheduling, 'nodeSelector'), object(value, 'spec', 'nodeSelector')];
  for (const [key, item] of Object.entries(added)) {
    const set = own(selector, key);
    if (set === undefined || set === item) continue;
    const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${String(item)}; pod.spec.nodeSelector[${key}] = ${String(set)}`;
    throw forbidden(pods, nameOf(value), `pod rejected: ${why}`);
  }
  const tolerations = array(value, 'spec', 'tolerations');
  const more = array(scheduling, 'tolerations').filter(
    (each) => !tolerations.some((own_) => equal(own_, each)),
  );
  const selected =
    Object.keys(added).length === 0
      ? value
      : putAt(value, ['spec', 'nodeSelector'], { ...selector, ...added });
  return more.length === 0 ? selected : putAt(selected, ['spec', 'tolerations'], [...tolerations, ...more]);
}

const system: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

function withPriority(value: JsonObject, cluster: Cluster): JsonObject {
  const spec = object(value, 'spec');
  const name = text(spec, 'priorityClassName');
  const found =
    name === '' ? globalDefault(cluster) : cluster.store.get('priorityclasses.scheduling.k8s.io', name);
  if (name !== '' && found === undefined && !Object.hasOwn(system, name)) {
    throw forbidden(pods, nameOf(value), `no PriorityClass with name ${name} was found`);
  }
  const priority = found === undefined ? (system[name] ?? 0) : Number(own(found, 'value') ?? 0);
  const policy = text(found, 'preemptionPolicy') || 'PreemptLowerPriority';
  checkGiven(value, spec, priority, policy);
  const named =
    name === '' && found !== undefined ? { priorityClassName: text(found, 'metadata', 'name') } : {};
  return replace(value, 'spec', { ...spec, ...named, priority, preemptionPolicy: policy });
}

function globalDefault(cluster: Cluster): JsonObject | undefined {
  const classes = cluster.store.list('priorityclasses.scheduling.k8s.io').map(([, found]) => found);
  return classes
    .filter((found) => own(found, 'globalDefault') === true)
    .sort((a, b) => Number(own(a, 'value') ?? 0) - Number(own(b, 'value') ?? 0))[0];
}

/** Clients may repeat the priority, but not choose it. */
function checkGiven(value: JsonObject, spec: JsonObject, priority: number, policy: string): void {
  const [given, givenPolicy] = [own(spec, 'priority'), own(spec, 'preemptionPolicy')];
  if (given !== undefined && given !== priority) {
    const why = `the integer value of priority (${String(given)}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`;
    throw forbidden(pods, nameOf(value), why);
  }
  if (givenPolicy !== undefined && givenPolicy !== policy) {
    const why = `the string value of PreemptionPolicy (${String(givenPolicy)}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`;
    throw forbidden(pods, nameOf(value), why);
  }
}

const waits = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

function withTolerations(value: JsonObject): JsonObject {
  const tolerations = array(value, 'spec', 'tolerations');
  const missing = waits.filter((key) => !tolerations.some((item) => tolerates(item, key)));
  if (missing.length === 0) return value;
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }));
  return putAt(value, ['spec', 'tolerations'], [...tolerations, ...added]);
}

function tolerates(item: Json, key: string): boolean {
  const [own_, effect] = [text(item, 'key'), text(item, 'effect')];
  return (own_ === key || own_ === '') && (effect === 'NoExecute' || effect === '');
}
