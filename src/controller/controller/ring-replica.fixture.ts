/** Simulation of the replicas of a ring: ring, cache and controller with simulated time and network. */

import type { Informer, InformerHandlers, KubernetesObject, RESTClient, Stored } from '@kgen/runtime';
import { ApiError } from '@kgen/runtime';
import type { ObjectShard } from '@kgen/runtime/informers';
import type {
  SimulatedProcess,
  SimulatedStore,
  Timeline,
} from '../../../test/support/runtime/simulated-process.ts';
import type { LeaseObject } from '../sharding/member-lease.ts';
import { ShardRing } from '../sharding/shard-ring.ts';
import type { AttachedController } from './attached-controller.ts';
import { attach, Controller } from './controller.ts';
import type { ObjectControllerOptions } from './options.ts';
import { fakeHost } from './world.fixture.ts';

/** An object of the simulated cluster. */
export type SimulatedObject = Stored<KubernetesObject>;
type Handlers = InformerHandlers<SimulatedObject>;

/** Parts of a simulated cache. */
interface CacheParts {
  readonly process: SimulatedProcess;
  readonly timeline: Timeline;
  readonly objects: SimulatedStore<SimulatedObject>;
  readonly shard: ObjectShard | undefined;
}

/** Cache of one replica: it requests all objects after each change, and until a request succeeds. */
export class SimulatedCache {
  readonly #process: SimulatedProcess;
  readonly #timeline: Timeline;
  readonly #objects: SimulatedStore<SimulatedObject>;
  readonly #shard: ObjectShard | undefined;
  readonly #handlers = new Set<Handlers>();
  readonly #waiting = new Set<() => void>();
  #cached = new Map<string, SimulatedObject>();
  #isRequesting = false;
  #isStale = false;

  constructor({ process, timeline, objects, shard }: CacheParts) {
    this.#process = process;
    this.#timeline = timeline;
    this.#objects = objects;
    this.#shard = shard;
    shard?.onChange(() => {
      const complete = new Promise<void>((resolve) => this.#waiting.add(resolve));
      this.refresh();
      return complete;
    });
  }

  /** For options of controllers. */
  get informer(): Informer<SimulatedObject> {
    const resource = {
      group: 'my.domain',
      version: 'v1',
      resource: 'apps',
      kind: 'App',
      scope: 'Namespaced',
    };
    const informer = {
      name: 'apps',
      resource,
      handle: (handlers: Handlers) => this.#handle(handlers),
      find: ({ name }: { readonly name: string }) => this.#cached.get(name),
      on: () => () => undefined,
    };
    // Controllers use these members only.
    return informer as never;
  }

  /** Requests the objects, because some have changed. */
  refresh(): void {
    this.#isStale = true;
    if (this.#isRequesting) return;
    this.#isRequesting = true;
    this.#process.environment.clock.timer(1, () => this.#request());
  }

  /** Handlers receive the cached objects some time later. */
  #handle(handlers: Handlers): object {
    this.#handlers.add(handlers);
    const synced = new Promise<void>((resolve) => {
      this.#process.environment.clock.timer(1, () => {
        for (const object of this.#cached.values()) handlers.add?.(object, { isInitial: true });
        resolve();
        this.#timeline.working();
      });
    });
    return { synced, remove: () => this.#handlers.delete(handlers) };
  }

  #request(): void {
    this.#isStale = false;
    const waiting = [...this.#waiting];
    this.#process
      .request(() => this.#objects.list())
      .then(
        (objects) => {
          this.#replace(objects);
          for (const complete of waiting) {
            this.#waiting.delete(complete);
            complete();
          }
          this.#isRequesting = false;
          if (this.#isStale) this.refresh();
        },
        () => void this.#process.environment.clock.timer(1000, () => this.#request()),
      );
  }

  #replace(objects: readonly SimulatedObject[]): void {
    this.#timeline.working();
    const before = this.#cached;
    const own = objects.filter((object) => this.#shard?.includes(object) ?? true);
    this.#cached = new Map(own.map((object) => [object.metadata.name, object]));
    for (const handlers of this.#handlers) {
      for (const [name, object] of this.#cached) {
        const old = before.get(name);
        if (old === undefined) handlers.add?.(object, { isInitial: false });
        else if (old.metadata.resourceVersion !== object.metadata.resourceVersion)
          handlers.update?.(object, old);
      }
      for (const [name, old] of before)
        if (!this.#cached.has(name)) handlers.delete?.(old, { missed: false });
    }
  }
}

/** Collaborators of a simulated replica. */
export interface ReplicaParts {
  readonly process: SimulatedProcess;
  readonly timeline: Timeline;
  readonly identity: string;
  readonly leases: SimulatedStore<LeaseObject>;
  readonly objects: SimulatedStore<SimulatedObject>;
  /** Whether the cache contains the objects of the replica only. */
  readonly isSharded: boolean;
  readonly controller: Omit<ObjectControllerOptions<SimulatedObject, undefined, []>, 'name' | 'for'>;
  /** Called when the replica has left the ring. */
  readonly onEnd: () => void;
}

/** One process of a ring, with one controller, as a manager combines them. */
export class SimulatedReplica {
  readonly process: SimulatedProcess;
  readonly ring: ShardRing;
  readonly cache: SimulatedCache;
  readonly controller: Controller<SimulatedObject>;
  readonly attached: AttachedController;
  /** Entries of the log. */
  readonly log: string[] = [];
  readonly #stopping = new AbortController();
  readonly #onEnd: () => void;

  constructor({ process, timeline, identity, leases, objects, isSharded, controller, onEnd }: ReplicaParts) {
    const { clocks, environment: own } = process;
    // Timers of a controller begin asynchronous work.
    const timer: typeof own.clock.timer = (ms, callback) =>
      own.clock.timer(ms, () => {
        timeline.working();
        callback();
      });
    const environment = { ...own, clock: { now: own.clock.now, timer } };
    const logged = (entry: string): void => void this.log.push(entry);
    const host = { environment, stopping: this.#stopping.signal, logged };
    this.process = process;
    this.#onEnd = onEnd;
    this.ring = new ShardRing({
      rest: restOf(leases, process),
      options: { name: 'ring', identity },
      log: fakeHost(host).log,
      environment,
      clocks,
    });
    this.ring.observe({ decided: () => timeline.working() });
    const shard = isSharded ? this.ring.objects('self') : undefined;
    this.cache = new SimulatedCache({ process, timeline, objects, shard });
    this.controller = new Controller({ name: 'test', for: this.cache.informer, ...controller });
    this.attached = attach(this.controller, fakeHost({ ...host, ownership: this.ring }));
  }

  start(): void {
    this.cache.refresh();
    this.ring.run().then(this.#onEnd);
    this.attached.run(this.#stopping.signal).then(() => this.process.call(() => this.ring.end()));
  }

  /** Hands over all keys, and ends after the last run. */
  leave(): void {
    this.process.call(() => {
      this.#stopping.abort(new Error('stopping'));
      this.ring.leave();
    });
  }
}

/** Returns access to simulated Leases. */
function restOf(leases: SimulatedStore<LeaseObject>, process: SimulatedProcess): RESTClient {
  const write = (_: string, { body, signal }: LeaseRequest) =>
    process.request(() => {
      const stored = leases.write(body.metadata.name, body);
      if (stored === undefined) throw new ApiError({ code: 409, reason: 'Conflict' });
      return stored;
    }, signal);
  const rest = {
    namespace: 'default',
    get: (_: string, { signal }: LeaseRequest) => process.request(() => ({ items: leases.list() }), signal),
    post: write,
    put: write,
    delete: (_: string, { path, body }: DeleteRequest) =>
      process.request(() => leases.remove(path.name, body.preconditions.resourceVersion)),
  };
  // Rings send these requests only.
  return rest as never;
}

interface LeaseRequest {
  readonly body: LeaseObject;
  readonly signal?: AbortSignal;
}

interface DeleteRequest {
  readonly path: { readonly name: string };
  readonly body: { readonly preconditions: { readonly resourceVersion: string } };
}
