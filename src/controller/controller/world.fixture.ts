/** A controller without a server: informers are lists of objects, and time passes by calls. */

import type { Informer, InformerHandlers, KubernetesObject, Stored } from '@kgen/runtime';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import { FakeClock } from '../../../test/support/runtime/fake-clock.ts';
import { noSecrets } from '../secrecy/secret-values.ts';
import type { KeyOwnership } from '../sharding/ownership.ts';
import type { AttachedController } from './attached-controller.ts';
import { attach, Controller } from './controller.ts';
import type { ControllerHost } from './host.ts';
import type { ControllerOptions } from './options.ts';

export { settle } from '../../../test/support/runtime/fake-clock.ts';

type Handlers = InformerHandlers<KubernetesObject>;
type Listener = (error: unknown, context: object) => void;

/** An informer whose changes are calls. */
export class FakeInformer {
  readonly objects = new Map<string, Stored<KubernetesObject>>();
  readonly #handlers: Handlers[] = [];
  readonly #listeners: Listener[] = [];
  #version = 0;
  /** Ends the initial list. */
  sync: () => void = () => undefined;
  quietMs = 0;
  readonly name: string;
  readonly resource: object;

  constructor(name: string, kind: string) {
    this.name = name;
    this.resource = { group: 'my.domain', version: 'v1', resource: name, kind, scope: 'Namespaced' };
  }

  /** For options of controllers. */
  get informer(): Informer<KubernetesObject> {
    // Controllers use these members only.
    return this as never;
  }

  handle(handlers: Handlers): object {
    this.#handlers.push(handlers);
    const synced = new Promise<void>((resolve) => {
      this.sync = resolve;
    });
    return { synced, remove: () => void this.#handlers.splice(this.#handlers.indexOf(handlers), 1) };
  }

  on(_: string, listener: Listener): () => void {
    this.#listeners.push(listener);
    return () => void this.#listeners.splice(this.#listeners.indexOf(listener), 1);
  }

  find({ name }: { readonly name: string }): Stored<KubernetesObject> | undefined {
    return this.objects.get(name);
  }

  seen(): boolean {
    return true;
  }

  stats(): object {
    return { quietMs: this.quietMs };
  }

  /** Number of handlers and listeners. */
  get registered(): number {
    return this.#handlers.length + this.#listeners.length;
  }

  fail(error: unknown, attempt = 1): void {
    for (const listener of this.#listeners) listener(error, { during: 'request', attempt });
  }

  /** Creates or changes an object. */
  put(name: string, metadata: object = {}, initial = false): void {
    this.#version += 1;
    const old = this.objects.get(name);
    const version = String(this.#version);
    const base = old?.metadata ?? { name, namespace: 'shop', uid: `uid-${version}` };
    const object: Stored<KubernetesObject> = {
      metadata: { ...base, generation: this.#version, ...metadata, resourceVersion: version },
    } as never;
    this.objects.set(name, object);
    for (const handlers of this.#handlers) {
      if (old === undefined) handlers.add?.(object, { isInitial: initial });
      else handlers.update?.(object, old);
    }
  }

  delete(name: string): void {
    const object = this.objects.get(name);
    if (object === undefined) return;
    this.objects.delete(name);
    for (const handlers of this.#handlers) handlers.delete?.(object, { missed: false });
  }

  /** Delivers the objects to the handlers that were added last, as initial ones. */
  replay(): void {
    for (const object of this.objects.values()) this.#handlers.at(-1)?.add?.(object, { isInitial: true });
    this.sync();
  }

  resync(): void {
    for (const object of this.objects.values())
      for (const handlers of this.#handlers) handlers.update?.(object, object);
  }
}

/** Entry of a log or a metric, in short: `error reconcile failed: x`. */
type Recorded = string;

/** A controller of `FakeInformer`s. */
export class FakeWorld {
  readonly clock: FakeClock;
  readonly apps = new FakeInformer('myapps', 'MyApp');
  readonly log: Recorded[] = [];
  readonly fields: object[] = [];
  readonly metrics: Recorded[] = [];
  readonly controller: Controller<KubernetesObject>;
  readonly attached: AttachedController;
  readonly #stopping = new AbortController();
  readonly #deadline = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(
    options: Partial<ControllerOptions<KubernetesObject>>,
    ownership?: KeyOwnership,
    clock = new FakeClock(),
  ) {
    this.clock = clock;
    const all = { name: 'test', for: this.apps.informer, ...options };
    // Tests pass one of the functions.
    this.controller = new Controller<KubernetesObject>(all as never);
    this.attached = attach(
      this.controller,
      fakeHost({
        environment: { clock: this.clock, random: () => 0.5 },
        stopping: this.#stopping.signal,
        signal: this.#deadline.signal,
        ownership,
        logged: (entry, fields) => {
          this.log.push(entry);
          this.fields.push(fields);
        },
        measured: (metric) => void this.metrics.push(metric),
      }),
    );
  }

  /** Runs the controller. */
  run(): void {
    this.#ended = this.attached.run(this.#stopping.signal);
  }

  /** Metrics of this name, with their values. */
  count(name: string): readonly Recorded[] {
    return this.metrics.filter((metric) => metric.startsWith(name));
  }

  /** Stops as a manager does. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopping'));
    await this.#ended;
    this.attached.detach();
  }

  /** Begins the stop, or aborts at its deadline. */
  begin(step: 'stop' | 'deadline'): void {
    const signal = step === 'stop' ? this.#stopping : this.#deadline;
    signal.abort(new Error(step));
  }

  get ended(): Promise<void> | undefined {
    return this.#ended;
  }
}

/** Parts of a fake host. */
interface FakeHostParts extends Partial<ControllerHost> {
  readonly environment: RuntimeEnvironment;
  readonly stopping: AbortSignal;
  /** Receive the entries of the log, and the calls of the metrics. */
  readonly logged?: (entry: Recorded, fields: object) => void;
  readonly measured?: (metric: Recorded) => void;
}

/** Returns a host without a manager. */
export function fakeHost({ logged, measured, ...parts }: FakeHostParts): ControllerHost {
  const write = (level: string) => (own: object, message: string) => logged?.(`${level} ${message}`, own);
  const record =
    (name: string) =>
    (_: string, ...values: readonly unknown[]) =>
      measured?.([name, ...values].join(' '));
  const reconciliations = new Proxy({}, { get: (_, name) => record(String(name)) });
  const host = {
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    requests: { patch: async () => undefined },
    reconciliations,
    observeQueue: () => ({ poll: () => undefined, close: () => undefined }),
    signal: new AbortController().signal,
    eventsOf: () => ({ event: () => undefined }),
    secrets: noSecrets,
    ...parts,
  };
  return host as never;
}
