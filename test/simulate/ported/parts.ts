/** Clients and caches of the ported operator, and the object of a run as its last write returned it. */
import type { HorizontalPodAutoscaler } from '@kgen/kubernetes/autoscaling/v2';
import { horizontalPodAutoscalers } from '@kgen/kubernetes/autoscaling/v2';
import { type Secret, secrets } from '@kgen/kubernetes/core/v1';
import {
  type Informer,
  type InformerFactory,
  type NamespacedLister,
  type RESTClient,
  resource,
  type Stored,
} from '@kgen/runtime';
import { DiscoveryClient, RESTMapper } from '@kgen/runtime/discovery';
import { ScaleClient } from '@kgen/runtime/dynamic';
import { createMergePatch } from '@kgen/runtime/patch';
import {
  type ConditionType,
  type ScaledObject,
  type ScaledObjectCondition,
  type ScaledObjectStatus,
  scaledObjects,
  type TriggerAuthentication,
  triggerAuthentications,
} from './kinds.ts';

/**
 * Behaviour of the original that a simulation shows to be a bug. The port has it for the names in `keeps`.
 */
export type Original =
  | 'forgets failed restorations'
  | 'hides a pause'
  | 'ignores authentications'
  | 'ignores labels'
  | 'keeps names in authentications'
  | 'keeps the count of another target'
  | 'polls without a pause'
  | 'replaces autoscalers'
  | 'shares targets'
  | 'trusts a stored name'
  | 'writes a heartbeat'
  | 'writes stale conditions';

type NamespacedInformer<T> = Informer<T, NamespacedLister<T>>;

export interface Parts {
  readonly rest: RESTClient;
  readonly keeps: ReadonlySet<Original>;
  readonly mapper: RESTMapper;
  readonly scales: ScaleClient;
  /** Resources that are known to have a scale, by `resource.group`. */
  readonly scalable: Set<string>;
  readonly objects: NamespacedInformer<ScaledObject>;
  readonly authentications: NamespacedInformer<TriggerAuthentication>;
  readonly autoscalers: NamespacedInformer<HorizontalPodAutoscaler>;
  readonly secrets: NamespacedInformer<Secret>;
}

export function partsOf(rest: RESTClient, informers: InformerFactory, keeps: ReadonlySet<Original>): Parts {
  const mapper = new RESTMapper(new DiscoveryClient(rest));
  return {
    rest,
    keeps,
    mapper,
    scales: new ScaleClient(rest, mapper),
    scalable: new Set(['deployments.apps', 'statefulsets.apps']),
    objects: informers.of(scaledObjects),
    authentications: informers.of(triggerAuthentications),
    autoscalers: informers.of(horizontalPodAutoscalers),
    secrets: informers.of(secrets),
  };
}

/** The ScaledObject of a run. Each write replaces it by its result. */
export class Handle {
  readonly #parts: Parts;
  #object: Stored<ScaledObject>;

  constructor(parts: Parts, object: Stored<ScaledObject>) {
    this.#parts = parts;
    this.#object = object;
  }

  get object(): Stored<ScaledObject> {
    return this.#object;
  }

  get status(): ScaledObjectStatus {
    return this.#object.status ?? {};
  }

  get key(): string {
    const { namespace, name } = this.#object.metadata;
    return `${namespace}/${name}`;
  }

  condition(type: ConditionType): ScaledObjectCondition {
    return this.status.conditions?.find((each) => each.type === type) ?? { type, status: 'Unknown' };
  }

  async update(object: Stored<ScaledObject>): Promise<void> {
    const { namespace } = object.metadata;
    this.#object = await resource(this.#parts.rest, scaledObjects).in(namespace).update(object);
  }

  /** Patches the members of the status that differ. Conditions are one list: a patch replaces all of them. */
  async setStatus(status: ScaledObjectStatus): Promise<void> {
    const { namespace, name, resourceVersion } = this.#object.metadata;
    const patch = createMergePatch(this.status, status);
    if (Object.keys(patch).length === 0) return;
    const isStale = this.#parts.keeps.has('writes stale conditions');
    const metadata = isStale ? {} : { metadata: { resourceVersion } };
    const client = resource(this.#parts.rest, scaledObjects).in(namespace);
    this.#object = await client.patchStatus(name, { ...metadata, status: patch });
  }

  async setConditions(...changed: readonly ScaledObjectCondition[]): Promise<void> {
    await this.setStatus({
      ...this.status,
      conditions: withConditions(this.status.conditions ?? [], changed),
    });
  }
}

const types: readonly ConditionType[] = ['Ready', 'Active', 'Paused'];

/** Returns conditions with other ones, in a fixed order. */
export function withConditions(
  known: readonly ScaledObjectCondition[],
  changed: readonly ScaledObjectCondition[],
): readonly ScaledObjectCondition[] {
  return types.flatMap((type) => {
    const condition = [...changed, ...known].find((each) => each.type === type);
    return condition === undefined ? [] : [condition];
  });
}
