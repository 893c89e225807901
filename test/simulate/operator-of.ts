/** Operators of the tests: a manager with one controller of one kind. */
import {
  anyChange,
  Controller,
  Manager,
  type ManagerOptions,
  type Predicate,
  type Reconcile,
} from '@kgen/controller';
import {
  type ClusterConfig,
  type Informer,
  InformerFactory,
  type KubernetesObject,
  RESTClient,
  type Stored,
} from '@kgen/runtime';
import type { Operator, SimulatedOptions } from '@kgen/testing';

/** Parts from which an operator builds its controller. */
export interface Parts {
  readonly manager: Manager;
  readonly rest: RESTClient;
  /** A client whose writes are neither guarded by an election nor recorded in caches. */
  readonly plain: RESTClient;
  readonly informers: InformerFactory;
}

/** Functions of a controller of objects `T`. */
export interface ControllerParts<T extends KubernetesObject> {
  readonly owns: NonNullable<ConstructorParameters<typeof Controller<T>>[0]['owns']>;
  /** Called for objects that are not being deleted. */
  readonly reconcile: Reconcile<T, undefined>;
  /** Called for objects that are being deleted, in place of `reconcile`. */
  readonly reconcileDeleted?: Reconcile<T, undefined>;
  readonly finalize?: Reconcile<T, undefined>;
  readonly watches?: ConstructorParameters<typeof Controller<T>>[0]['watches'];
  readonly predicate?: Predicate<T>;
  readonly concurrency?: number;
}

/** Returns an operator of the objects of an informer. */
export function operatorOf<T extends KubernetesObject>(
  informerOf: (informers: InformerFactory) => Informer<T>,
  build: (parts: Parts) => ControllerParts<T>,
  own: ManagerOptions = {},
): Operator {
  return (config: ClusterConfig, simulated: SimulatedOptions): Manager => {
    const manager = new Manager(config, { name: 'simulated', ...own, ...simulated });
    const informers = new InformerFactory(manager);
    const plain = new RESTClient(config, simulated.client);
    const {
      reconcile,
      reconcileDeleted,
      predicate = anyChange,
      ...rest
    } = build({
      manager,
      rest: manager.rest,
      plain,
      informers,
    });
    const controller = new Controller({
      name: 'controller',
      for: { informer: informerOf(informers), predicate },
      ...rest,
      reconcile: (object: Stored<T>, context) =>
        object.metadata?.deletionTimestamp === undefined
          ? reconcile(object, context)
          : reconcileDeleted?.(object, context),
    });
    return manager.add(controller);
  };
}
