/** Handlers of an informer that record their calls, each with another behaviour. */
import type { HandlerRegistration, Informer, InformerHandlers, NamespacedLister } from '@kgen/runtime';
import { History, type Notification, type Truth } from './checker/history.ts';
import type { Manner } from './schedule.ts';
import type { SimulatedClock } from './simulated-clock.ts';
import type { Widget } from './widgets.ts';

/** One call, before it reaches a handler. */
export type HandlerCall =
  | { readonly type: 'add'; readonly object: Notification; readonly isInitial: boolean }
  | { readonly type: 'update'; readonly object: Notification; readonly old: Notification }
  | { readonly type: 'delete'; readonly object: Notification; readonly missed: boolean };

/** Replaces a call on its way to a handler. An informer without faults passes it on unchanged. */
export type Distortion = (call: HandlerCall) => readonly HandlerCall[];

export interface ListenerSetup {
  readonly informer: Informer<Widget, NamespacedLister<Widget>>;
  readonly truth: Truth;
  readonly clock: SimulatedClock;
  readonly manner: Manner;
  readonly distort?: Distortion | undefined;
  /** Called for each call, and for the end of each slow one. */
  onCall(): void;
}

export class Listener {
  readonly manner: Manner;
  readonly history: History;
  readonly registration: HandlerRegistration;
  /** Number of objects in the cache at registration. */
  readonly given: number;
  removed = false;
  readonly #setup: ListenerSetup;
  #calls = 0;
  #busy = false;
  #synced = false;

  constructor(setup: ListenerSetup) {
    const { informer, truth, manner } = setup;
    this.#setup = setup;
    this.manner = manner;
    this.history = new History(truth, { resyncs: manner === 'resyncing' });
    this.given = informer.stats().objects;
    this.registration = informer.handle(
      this.#handlers(),
      manner === 'resyncing' ? { resyncMs: 45_000 } : undefined,
    );
    this.registration.synced.then(
      () => {
        this.#synced = true;
      },
      () => undefined,
    );
  }

  remove(): void {
    this.registration.remove();
    this.removed = true;
    this.history.expectSilence('after remove');
  }

  #handlers(): InformerHandlers<Widget> {
    return {
      add: (object, { isInitial }) => this.#received({ type: 'add', object, isInitial }),
      update: (object, old) => this.#received({ type: 'update', object, old }),
      delete: (object, { missed }) => this.#received({ type: 'delete', object, missed }),
    };
  }

  #received(call: HandlerCall): void | Promise<void> {
    const { distort, manner, onCall } = this.#setup;
    onCall();
    this.#calls += 1;
    if (this.#busy) this.history.problem('called before the last call has ended', call.object);
    for (const passed of distort?.(call) ?? [call]) this.#take(passed);
    if (manner === 'throwing' && this.#calls % 3 === 0) throw new Error('a handler threw');
    return manner === 'slow' ? this.#linger() : undefined;
  }

  #take(call: HandlerCall): void {
    const { history } = this;
    if (call.type === 'update') history.update(call.object, call.old);
    else if (call.type === 'delete') history.delete(call.object, call.missed);
    else {
      if (call.isInitial && this.#synced) history.problem('initial after all', call.object);
      history.add(call.object);
    }
  }

  #linger(): Promise<void> {
    this.#busy = true;
    return new Promise((resolve) => {
      this.#setup.clock.timer(this.#calls % 2 === 0 ? 10 : 700, () => {
        this.#busy = false;
        this.#setup.onCall();
        resolve();
      });
    });
  }
}
