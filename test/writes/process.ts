/** A process with a manager, whose client compares writes with its caches. */

import { Controller, Manager, type ReconcileKey } from '@kgen/controller';
import { type Informer, InformerFactory, type RESTClient, type Stored } from '@kgen/runtime';
import { DynamicClient, dynamicResource, type Unstructured } from '@kgen/runtime/dynamic';
import { vi } from 'vitest';
import { FaultyTransport } from './faulty-transport.ts';
import type { CacheOptions, History } from './history.ts';
import { type Fields, ownerName, owners, type Version } from './kinds.ts';
import { fieldsOf, type Place } from './object-client.ts';
import { type Cluster, common, ignore, Member, operator, timing } from './other-processes.ts';

/** Waits until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>, condition: string): Promise<void> {
  const check = async (): Promise<void> => {
    if (!(await holds())) throw new Error(`never: ${condition}`);
  };
  await vi.waitFor(check, { timeout: 20_000, interval: 1 });
}

/** One run of a program. */
export class ManagedProcess {
  readonly transport: FaultyTransport;
  readonly #place: Place;
  readonly #history: History;
  readonly #cluster: Cluster;
  readonly #manager: Manager;
  readonly #factory: InformerFactory;
  readonly #informers: readonly Informer<Unstructured>[];
  readonly #owners: Informer<Unstructured>;
  readonly #controller: Controller;
  readonly #stop = new AbortController();
  readonly #jobs: (() => Promise<void>)[] = [];
  readonly #started: Promise<void>;
  #running: Promise<void> | undefined;

  constructor(cluster: Cluster, history: History, place: Place) {
    const { kind, namespace } = place;
    this.#cluster = cluster;
    this.#history = history;
    this.#place = place;
    this.transport = new FaultyTransport(cluster.transport, kind.resource);
    const election = { ...timing, name: operator, namespace, identity: 'process' };
    this.#manager = new Manager(cluster.config, {
      ...common,
      client: { transport: this.transport.send, onWarning: ignore },
      ...(history.fence === 'leader' && { leaderElection: election }),
      ...(history.fence === 'shards' && { sharding: election }),
    });
    const client = this.#manager.client(DynamicClient);
    // As in production: reconcile functions can change cached objects.
    this.#factory = new InformerFactory(client, { namespace, streaming: false, freeze: false });
    this.#informers = history.caches.map((options, index) => this.#informer(options, index));
    this.#owners = this.#factory.of(dynamicResource({ ...owners, scope: 'Namespaced' }));
    this.#controller = new Controller({
      name: 'writer',
      for: this.#owners,
      watches: this.#informers.map((informer) => ({ informer, map: () => [] })),
      reconcile: ({ metadata: { name } }) => (name === ownerName ? this.#work() : undefined),
    });
    this.#manager.add(this.#controller);
    this.#started = new Promise((resolve) => {
      this.#manager.add({ name: 'started', start: () => resolve() });
    });
  }

  /** REST client of the manager. */
  get rest(): RESTClient {
    return this.#manager.rest;
  }

  /** Starts; resolves when the caches are complete, also if another process leads. */
  async start(): Promise<void> {
    this.#running = this.#manager.run({ signal: this.#stop.signal });
    this.#running.catch(ignore);
    await Promise.race([this.#started, this.#running]);
  }

  async stop(): Promise<void> {
    this.transport.release();
    this.#stop.abort();
    await this.#running;
  }

  /** Waits until the process may write. */
  async owns(): Promise<void> {
    const { fence } = this.#history;
    if (fence === 'leader') await until(() => this.#manager.isLeader, 'the process leads');
    if (fence === 'shards') await until(() => this.#isOwned(), 'the process owns the key');
  }

  /** Another member of the ring owns the key until the returned function is called. */
  async lendKey(): Promise<() => Promise<void>> {
    for (let attempt = 0; ; attempt += 1) {
      const peer = new Member(this.#cluster, this.#place.namespace, `peer-${attempt}`);
      await until(async () => (await peer.ownedSlots()) > 100, 'the other member owns its share');
      const back = async (): Promise<void> => {
        await peer.stop();
        await until(() => this.#isOwned(), 'the process owns the key again');
      };
      if (!this.#isOwned()) return back;
      await back();
    }
  }

  /** Whether a write ends before the next one begins: runs of one key do not overlap. */
  get isSerial(): boolean {
    return this.#history.inRuns === true || this.#history.fence === 'shards';
  }

  /** Performs a function with the client, in a run of the controller if the history demands it. */
  async perform<R>(work: () => Promise<R>): Promise<R> {
    if (!this.isSerial) return work();
    return new Promise<R>((resolve, reject) => {
      this.#jobs.push(() => work().then(resolve, reject));
      this.#controller.enqueue(this.#reconcileKey);
    });
  }

  /** Returns the object of a cache itself, of the first one with the version. */
  cached(version: Version = 'v1'): Fields | undefined {
    const index = this.#history.caches.findIndex((cache) => (cache.version ?? 'v1') === version);
    const { namespace, name } = this.#place;
    return this.#informers[index]?.find({ namespace, name });
  }

  /** Waits until the caches have a version of the object; `undefined` if it does not exist. */
  async caughtUp(resourceVersion: string | undefined, without?: 'first'): Promise<void> {
    const { namespace, name } = this.#place;
    const informers = without === 'first' ? this.#informers.slice(1) : this.#informers;
    const holds = (): boolean =>
      informers.every(
        (informer) => informer.find({ namespace, name })?.metadata.resourceVersion === resourceVersion,
      );
    await until(holds, `the caches contain version ${resourceVersion}`);
  }

  /** Stops the informers and starts them again. */
  async relist(): Promise<void> {
    const { informers } = this.#factory;
    await informers.stop();
    informers.start();
    await informers.waitForSync();
  }

  async #work(): Promise<void> {
    for (const job of this.#jobs.splice(0)) await job();
  }

  get #reconcileKey(): ReconcileKey & { readonly namespace: string } {
    return { namespace: this.#place.namespace, name: ownerName };
  }

  #isOwned(): boolean {
    return this.#controller.explain(this.#reconcileKey).state.type !== 'other replica';
  }

  #informer({ cache, version = 'v1' }: CacheOptions, index: number): Informer<Unstructured> {
    const { group, resource, kind } = this.#place.kind;
    const descriptor = dynamicResource({ group, version, resource, kind, scope: 'Namespaced' });
    // Every object matches; informers with other selectors have a watch of their own.
    const own = index === 0 ? {} : { labelSelector: `!absent-${index}` };
    if (cache === 'metadata') return this.#factory.metadataOf(descriptor, own) as Informer<Unstructured>;
    if (cache === 'select') return this.#factory.of(descriptor, { ...own, select: selected }) as never;
    return this.#factory.of(descriptor, {
      ...own,
      ...(cache === 'managedFields' && { keepManagedFields: true }),
      ...(cache === 'transform' && { transform: reduced }),
    });
  }
}

/** Fields that the cache `select` has, of all kinds. */
const selected = {
  metadata: { labels: true },
  spec: { a: true, replicas: true },
  data: { a: true },
  status: { ready: true, replicas: true },
} as const;

/** Removes the fields that most programs do not read. */
function reduced(object: Stored<Unstructured>): Stored<Unstructured> {
  const { annotations: _, ...metadata } = object.metadata;
  const status = fieldsOf(object['status']);
  const { message: __, conditions: ___, ...rest } = status;
  return { ...object, metadata, ...('status' in object && { status: rest }) } as Stored<Unstructured>;
}
