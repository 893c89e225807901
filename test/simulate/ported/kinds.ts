/** The kinds of the ported operator: ScaledObjects, and the TriggerAuthentications to which they refer. */
import type { ObjectMeta, Stored } from '@kgen/runtime';
import {
  type CustomCrud,
  type CustomWriteStatus,
  defineResource,
  type NamespacedResource,
} from '@kgen/runtime/client';

/** A source of a metric. */
export interface Trigger {
  /** `cpu`, `memory` or `metrics-api`. */
  readonly type: string;
  readonly name?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly authenticationRef?: { readonly name: string };
}

export interface TargetReference {
  readonly name: string;
  readonly apiVersion?: string;
  readonly kind?: string;
}

export interface ScaledObjectSpec {
  readonly scaleTargetRef: TargetReference;
  readonly pollingInterval?: number;
  readonly cooldownPeriod?: number;
  readonly idleReplicaCount?: number;
  readonly minReplicaCount?: number;
  readonly maxReplicaCount?: number;
  readonly advanced?: {
    readonly restoreToOriginalReplicaCount?: boolean;
    readonly horizontalPodAutoscalerConfig?: { readonly name?: string };
  };
  readonly triggers: readonly Trigger[];
}

/** The resource of a scale target, as discovery has found it. */
export interface TargetResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
}

export type ConditionType = 'Ready' | 'Active' | 'Paused';

export interface ScaledObjectCondition {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

export interface ScaledObjectStatus {
  readonly scaleTargetKind?: string;
  readonly scaleTargetGVKR?: TargetResource;
  /** Name of the target to which the members above belong. */
  readonly scaleTargetName?: string;
  readonly originalReplicaCount?: number;
  readonly lastActiveTime?: string;
  readonly externalMetricNames?: readonly string[];
  readonly resourceMetricNames?: readonly string[];
  readonly conditions?: readonly ScaledObjectCondition[];
  readonly pausedReplicaCount?: number;
  readonly hpaName?: string;
  readonly triggersTypes?: string;
  readonly authenticationsTypes?: string;
}

export interface ScaledObject {
  readonly apiVersion?: 'keda.sh/v1alpha1';
  readonly kind?: 'ScaledObject';
  readonly metadata?: ObjectMeta;
  readonly spec: ScaledObjectSpec;
  readonly status?: ScaledObjectStatus;
}

export interface TriggerAuthentication {
  readonly apiVersion?: 'keda.sh/v1alpha1';
  readonly kind?: 'TriggerAuthentication';
  readonly metadata?: ObjectMeta;
  readonly spec: {
    readonly secretTargetRef?: readonly {
      readonly parameter: string;
      readonly name: string;
      readonly key: string;
    }[];
  };
  /** Names of the ScaledObjects that refer to it, separated by commas. */
  readonly status?: { readonly scaledobjects?: string };
}

interface ListOf<T> {
  readonly metadata: { readonly resourceVersion?: string };
  readonly items: Stored<T>[];
}

interface ClientOf<T extends object> extends CustomCrud<T, ListOf<T>>, CustomWriteStatus<T> {}

const common = {
  group: 'keda.sh',
  version: 'v1alpha1',
  scope: 'Namespaced',
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: { status: ['get', 'patch', 'update'] },
} as const;

export const scaledObjects: NamespacedResource<
  ScaledObject,
  ListOf<ScaledObject>,
  ClientOf<ScaledObject>
> = defineResource({
  ...common,
  kind: 'ScaledObject',
  listKind: 'ScaledObjectList',
  plural: 'scaledobjects',
  singular: 'scaledobject',
});

export const triggerAuthentications: NamespacedResource<
  TriggerAuthentication,
  ListOf<TriggerAuthentication>,
  ClientOf<TriggerAuthentication>
> = defineResource({
  ...common,
  kind: 'TriggerAuthentication',
  listKind: 'TriggerAuthenticationList',
  plural: 'triggerauthentications',
  singular: 'triggerauthentication',
});
