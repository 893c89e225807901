import type { Informer, KubernetesObject } from '@kgen/runtime';
import { type Explanation, explanationOf } from '../records/explanation.ts';
import type { ReconcileRecord } from '../records/record.ts';
import { checkedKey, type ReconcileKey } from '../runs/key.ts';
import { AttachedController } from './attached-controller.ts';
import type { ControllerHost, RunningReconcile } from './host.ts';
import type { ControllerOptions } from './options.ts';
import { type Setup, setupOf } from './setup.ts';

let attachTo: (controller: object, host: ControllerHost) => AttachedController;

/**
 * Reconciles objects: calls a function for each object that has changed, one call per object at a time, and
 * again after failures. Changes during a call cause another one. A `Manager` runs it.
 *
 * Guarantees:
 * - All handlers have received the initial objects before the first run. Kinds that are not installed do not
 *   delay it; the controller follows them once they are.
 * - Each change leads to a run that begins after it. Changes before a run are combined.
 * - A run that fails is retried with backoff, or after the server's `Retry-After`; conflicts have a message
 *   only for 10, 100, 1,000, … in a row; `TerminalError` is not retried before the next change.
 * - A function that throws anything, never settles or returns anything else than its result type is reported
 *   and does not affect other objects.
 * @example
 * ```ts
 * import { Controller } from '@kgen/controller';
 * import { deployments } from '@kgen/kubernetes/apps/v1';
 * import { InformerFactory } from '@kgen/runtime';
 * import { myApps } from './generated/my.domain/v1/index.js';
 *
 * const informers = new InformerFactory(clientset);
 * const controller = new Controller({
 *   name: 'myapp',
 *   for: informers.of(myApps),
 *   owns: [informers.of(deployments)],
 *   reconcile: (app, { log }) => log.info({ version: app.spec.version }, 'reconciled'),
 * });
 * console.log(controller.name);
 * ```
 */
export class Controller<
  T extends KubernetesObject = KubernetesObject,
  C = undefined,
  const W extends readonly unknown[] = readonly unknown[],
> {
  readonly name: string;
  /** Whether the controller runs only while its manager is the leader. */
  readonly needsLeadership: boolean;
  readonly #setup: Setup<unknown>;
  #attached: AttachedController | undefined;

  static {
    attachTo = (controller, host) => {
      if (!(#setup in controller))
        throw new TypeError('the controller is of another copy of @kgen/controller');
      return controller.#attach(host);
    };
  }

  /**
   * Creates a controller, which runs when its manager does.
   * @throws {TypeError} if the options contradict each other, or functions are missing
   * @throws {RangeError} if a number is out of range
   */
  constructor(options: ControllerOptions<T, C, W>) {
    this.#setup = setupOf(options);
    this.name = options.name;
    this.needsLeadership = options.leaderElection ?? true;
  }

  /** Informers that the controller reads. */
  get informers(): readonly Informer<KubernetesObject>[] {
    return [...new Set(this.#setup.sources.map(({ informer }) => informer))];
  }

  /** Reconciles in progress, each with its key and start. */
  get running(): readonly RunningReconcile[] {
    return this.#attached?.running ?? [];
  }

  /**
   * Puts a key in the queue, as if its object had changed. With sharding, a key of another replica is not
   * queued.
   * @throws {Error} if the controller does not belong to a manager
   * @throws {TypeError} if the key has no name
   */
  enqueue(key: ReconcileKey): void {
    if (this.#attached === undefined) throw new Error(`controller ${this.name}: add it to a manager first`);
    this.#attached.enqueue(checkedKey(key));
  }

  /**
   * Returns why a key was reconciled, or waits: its last reconciles with their causes, reads and writes, and
   * its present state. For any key, also one without an object. Never throws for a valid key.
   * @throws {TypeError} if the key has no name
   * @example
   * ```ts
   * import { Controller } from '@kgen/controller';
   * import { InformerFactory } from '@kgen/runtime';
   * import { myApps } from './generated/my.domain/v1/index.js';
   *
   * const myApp = new InformerFactory(clientset).of(myApps);
   * const controller = new Controller({ name: 'myapp', for: myApp, reconcile: () => undefined });
   * const { text, state } = controller.explain({ namespace: 'shop', name: 'web' });
   * console.log(state.type); // 'not started'
   * console.log(text);
   * ```
   */
  explain(key: ReconcileKey): Explanation {
    const checked = checkedKey(key);
    const { total = 0, records = [] } = this.#attached?.records.of(checked) ?? {};
    return explanationOf({
      controller: this.name,
      key: checked,
      state: this.#attached?.stateOf(checked) ?? { type: 'not started', causes: [] },
      cachedVersion: this.#setup.reconciled.get(checked.cluster)?.find(checked)?.metadata.resourceVersion,
      failures: this.#attached?.failures(checked) ?? 0,
      total,
      reconciles: records,
    });
  }

  /**
   * Returns records of the last reconciles, newest first, at most `limit`. The last 5 of up to 1,000 keys are
   * kept, in at most 2 MiB. Default: 100.
   */
  reconciles(limit = 100): readonly ReconcileRecord[] {
    return this.#attached?.records.newest(limit) ?? [];
  }

  #attach(host: ControllerHost): AttachedController {
    if (this.#attached !== undefined) {
      throw new Error(`controller ${this.name} belongs to a manager already: create another controller`);
    }
    this.#attached = new AttachedController(this, this.#setup, host);
    return this.#attached;
  }
}

/** A controller of any types. */
export type AnyController = Pick<
  Controller,
  'name' | 'needsLeadership' | 'informers' | 'running' | 'explain' | 'reconciles'
>;

/**
 * Attaches a controller to a manager: adds its handlers to its informers, so that changes are queued. Called
 * before the informers start. Not part of the public API.
 * @throws {Error} if the controller was attached before
 * @throws {TypeError} if it was created by another copy of this package
 */
export function attach(controller: AnyController, host: ControllerHost): AttachedController {
  return attachTo(controller, host);
}
