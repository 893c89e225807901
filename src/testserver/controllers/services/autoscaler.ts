/** HorizontalPodAutoscalers, for clusters without metrics. */
import { array, compact, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { servedTypes } from '../../resources/catalog.ts';
import type { ResourceType, ScalePaths } from '../../resources/type.ts';
import { isDeleting, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, keyOf, storageOf } from '../cluster.ts';
import type { Controller } from '../controller.ts';
import { autoscalers } from '../workloads/paths.ts';
import { number, sameStatus, withCondition } from '../workloads/values.ts';

/**
 * Keeps the replicas of workloads between the limits of their autoscalers.
 * @param load number of replicas that metrics would demand of each workload; `undefined` without metrics
 */
export function autoscalerController(load: number | undefined): Controller {
  return {
    name: 'autoscalers',
    keys: (change, cluster) => {
      if (change.resource === storageOf(autoscalers)) return [change.key];
      return cluster
        .list(autoscalers, namespaceOf(change.object))
        .filter((scaler) => isTarget(scaler, change.object))
        .map((scaler) => keyOf(namespaceOf(scaler), nameOf(scaler)));
    },
    *reconcile(key, cluster) {
      const scaler = cluster.get(autoscalers, key);
      if (scaler === undefined || isDeleting(scaler)) return;
      const target = targetOf(cluster, scaler);
      const status =
        target === undefined ? withoutTarget(cluster, scaler) : yield* scaled(cluster, scaler, target, load);
      if (!sameStatus(status, object(scaler, 'status')))
        yield* cluster.updateStatus(autoscalers, scaler, status);
    },
  };
}

/** A workload, with the paths of its numbers of replicas. */
interface Target {
  readonly type: ResourceType;
  readonly paths: ScalePaths;
  readonly value: JsonObject;
}

/** Returns the number of replicas that a workload shall have. A workload without replicas is not scaled. */
export function desiredReplicas({ current, least, most, load }: ScalingState): number {
  if (current === 0 && least > 0) return 0;
  return Math.min(Math.max(load ?? current, least), most);
}

interface ScalingState {
  readonly current: number;
  readonly least: number;
  readonly most: number;
  readonly load: number | undefined;
}

function* scaled(
  cluster: Cluster,
  scaler: JsonObject,
  { type, paths, value }: Target,
  load: number | undefined,
): Verb<JsonObject> {
  const current = number(value, 1, ...paths.specReplicas);
  const [least, most] = [number(scaler, 1, 'spec', 'minReplicas'), number(scaler, 1, 'spec', 'maxReplicas')];
  const desired = desiredReplicas({ current, least, most, load });
  const before = object(scaler, 'status');
  const isActive = load !== undefined && (current > 0 || least === 0);
  const active = isActive
    ? condition(cluster, 'ScalingActive', 'True', 'ValidMetricFound')
    : condition(
        cluster,
        'ScalingActive',
        'False',
        current === 0 ? 'ScalingDisabled' : 'FailedGetResourceMetric',
      );
  const isScaled = desired !== current;
  if (isScaled) yield* cluster.update(type, scaleOf(value, desired), 'scale');
  const able = condition(cluster, 'AbleToScale', 'True', isScaled ? 'SucceededRescale' : 'SucceededGetScale');
  return compact({
    ...before,
    observedGeneration: number(scaler, 0, 'metadata', 'generation'),
    currentReplicas: number(value, 0, ...paths.statusReplicas),
    desiredReplicas: desired,
    lastScaleTime: isScaled ? cluster.timestamp() : own(before, 'lastScaleTime'),
    conditions: withCondition(
      withCondition(array(before, 'conditions'), isScaled ? able : kept(before, able)),
      active,
    ),
  });
}

/** The reason of the last scaling stays. */
function kept(status: JsonObject, able: JsonObject): JsonObject {
  const known = array(status, 'conditions').find((each) => text(each, 'type') === text(able, 'type'));
  return text(known, 'status') === 'True' ? object(known) : able;
}

function withoutTarget(cluster: Cluster, scaler: JsonObject): JsonObject {
  const status = object(scaler, 'status');
  const able = condition(cluster, 'AbleToScale', 'False', 'FailedGetScale');
  return { ...status, conditions: withCondition(array(status, 'conditions'), able) };
}

function condition(cluster: Cluster, type: string, status: string, reason: string): JsonObject {
  return { type, status, reason, message: messages[reason] ?? '', lastTransitionTime: cluster.timestamp() };
}

const messages: Readonly<Record<string, string>> = {
  SucceededGetScale: "the target's scale was read",
  SucceededRescale: "the target's scale was changed",
  FailedGetScale: "the target's scale cannot be read",
  ScalingDisabled: 'the target has no replicas',
  FailedGetResourceMetric: 'the cluster has no metrics',
  ValidMetricFound: 'the metrics determine the number of replicas',
};

function scaleOf(value: JsonObject, replicas: number): JsonObject {
  const { name, namespace, resourceVersion } = object(value, 'metadata');
  const metadata = compact({ name, namespace, resourceVersion });
  return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas } };
}

function targetOf(cluster: Cluster, scaler: JsonObject): Target | undefined {
  const reference = object(scaler, 'spec', 'scaleTargetRef');
  const group = groupOf(reference);
  const type = servedTypes(cluster.state.store).find(
    (each) => each.kind === text(reference, 'kind') && each.group === group && each.scale !== undefined,
  );
  const value = type && cluster.get(type, keyOf(namespaceOf(scaler), text(reference, 'name')));
  return type?.scale === undefined || value === undefined ? undefined : { type, paths: type.scale, value };
}

function isTarget(scaler: JsonObject, value: JsonObject): boolean {
  const reference = object(scaler, 'spec', 'scaleTargetRef');
  return (
    text(reference, 'kind') === text(value, 'kind') &&
    text(reference, 'name') === nameOf(value) &&
    groupOf(reference) === groupOf(value)
  );
}

function groupOf(value: JsonObject): string {
  const [, group = ''] = text(value, 'apiVersion').split('/').toReversed();
  return group;
}
