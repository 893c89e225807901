/** Queue of the built-in controllers, with deterministic order and retries. */
import type { ServerState } from '../call/context.ts';
import { runVerb } from '../call/verb.ts';
import type { Change } from '../store/store.ts';
import { Cluster } from './cluster.ts';
import type { Controller } from './controller.ts';
import { DependentIndex } from './dependents.ts';

/** Number of keys that are reconciled before requests are handled again. */
const batch = 200;

/** Delay before a failed key is retried; doubled with every failure. */
const firstRetryMs = 5;
const longestRetryMs = 16 * 60_000;

interface Item {
  readonly controller: Controller;
  readonly key: string;
}

/**
 * Runs controllers by key, in the order of the changes, one after the other and never inside a request: the
 * same changes lead to the same writes in the same order.
 */
export class ControllerRunner {
  readonly #state: ServerState;
  readonly #controllers: readonly Controller[];
  readonly #dependents: DependentIndex;
  #cluster: Cluster;
  readonly #queue = new Map<string, Item>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, { readonly due: number; readonly cancel: () => void }>();
  readonly #unsubscribe: () => void;
  #cancelRound: (() => void) | undefined;
  #isWaiting = false;
  #isStopped = false;

  constructor(state: ServerState, controllers: readonly Controller[], recordsEvents = false) {
    this.#state = state;
    this.#controllers = controllers;
    this.#dependents = new DependentIndex(state.store);
    this.#cluster = new Cluster(state, this.#dependents, recordsEvents);
    this.#unsubscribe = state.store.subscribe((change) => this.#onChange(change));
    this.resync();
  }

  /** Reconciles every object (of one resource), as after a start or after the store was replaced. */
  resync(only?: string): void {
    const { store } = this.#state;
    if (only === undefined) this.#forget();
    for (const resource of only === undefined ? store.resources() : [only]) {
      for (const [key, object] of store.list(resource)) {
        this.#enqueue({ type: 'ADDED', resource, key, revision: store.revision, object });
      }
    }
  }

  #forget(): void {
    this.#dependents.reset(this.#state.store);
    this.#cluster = new Cluster(this.#state, this.#dependents, this.#cluster.recordsEvents);
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#failures.clear();
  }

  /** Reconciles until nothing is left to do, except for keys that wait for a time or a webhook. */
  settle(): void {
    while (this.#queue.size > 0 && !this.#isWaiting && !this.#isStopped) this.#next();
  }

  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe();
    this.#cancelRound?.();
    for (const { cancel } of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#queue.clear();
  }

  #onChange(change: Change): void {
    this.#dependents.update(change);
    this.#enqueue(change);
  }

  #enqueue(change: Change): void {
    for (const controller of this.#controllers) {
      for (const key of controller.keys(change, this.#cluster)) this.#add({ controller, key });
    }
  }

  #add(item: Item): void {
    if (this.#isStopped) return;
    this.#queue.set(idOf(item), item);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isStopped || this.#isWaiting) return;
    this.#cancelRound ??= this.#state.environment.timer(0, () => {
      this.#cancelRound = undefined;
      this.#round();
    });
  }

  #round(): void {
    for (let count = 0; count < batch && this.#queue.size > 0 && !this.#isWaiting; count += 1) this.#next();
    if (this.#queue.size > 0) this.#schedule();
  }

  #next(): void {
    const [entry] = this.#queue;
    if (entry === undefined) return;
    const [id, item] = entry;
    this.#queue.delete(id);
    try {
      const requeue = (ms: number): void => this.#after(item, ms);
      const result = runVerb(item.controller.reconcile(item.key, this.#cluster, requeue));
      if (result instanceof Promise) this.#await(item, result);
      else this.#failures.delete(id);
    } catch (error) {
      this.#retry(item, error);
    }
  }

  /** A webhook is called: other keys wait, so that the order of writes stays the same. */
  #await(item: Item, result: Promise<void>): void {
    this.#isWaiting = true;
    const done = (): void => {
      this.#isWaiting = false;
      if (this.#queue.size > 0) this.#schedule();
    };
    result.then(
      () => {
        this.#failures.delete(idOf(item));
        done();
      },
      (error: unknown) => {
        this.#retry(item, error);
        done();
      },
    );
  }

  /** A failed write, such as one that an admission webhook rejects, is retried later. */
  #retry(item: Item, error: unknown): void {
    const id = idOf(item);
    const failures = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, failures);
    if (!(error instanceof Error) || error.name !== 'Failure') warn(item, error);
    this.#after(item, Math.min(firstRetryMs * 2 ** failures, longestRetryMs));
  }

  /** Reconciles a key after a delay. The earliest of several delays counts. */
  #after(item: Item, ms: number): void {
    if (this.#isStopped) return;
    const id = idOf(item);
    const due = this.#state.environment.now() + ms;
    const known = this.#timers.get(id);
    if (known !== undefined && known.due <= due) return;
    known?.cancel();
    const cancel = this.#state.environment.timer(Math.max(ms, 1), () => {
      this.#timers.delete(id);
      this.#add(item);
    });
    this.#timers.set(id, { due, cancel });
  }
}

function idOf({ controller, key }: Item): string {
  return `${controller.name} ${key}`;
}

/** No caller can catch the error of a controller, and it must not end the test run. */
function warn({ controller, key }: Item, error: unknown): void {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.emitWarning(`the controller ${controller.name} failed for ${key}: ${message}`, 'TestServerWarning');
}
