/** Clients of a manager, and the parts that share its connection. */

import { type ClusterConfig, type Informer, type KubernetesObject, RESTClient } from '@kgen/runtime';
import { LeaderElector, type LeaderElectorOptions } from '@kgen/runtime/election';
import { systemEnvironment } from '@kgen/runtime/informers';
import { eventLoopTurn } from '@kgen/runtime/queue';
import type { Registry } from 'prom-client';
import { NoopWrites } from '../apply/noop-writes.ts';
import { type Access, informerAccesses, leaseAccesses } from '../client/accesses.ts';
import { managedClient, type WriteFence } from '../client/managed-client.ts';
import { pacedWrites } from '../client/paced-writes.ts';
import { checkGuard } from '../client/write-guard.ts';
import type { AnyController } from '../controller/controller.ts';
import type { ControllerHost } from '../controller/host.ts';
import type { EventToRecord } from '../events/event.ts';
import { EventRecorder } from '../events/recorder.ts';
import type { Logger } from '../log.ts';
import {
  registerElection,
  registerEvents,
  registerRing,
  registerWrites,
} from '../metrics/process-metrics.ts';
import { observingSecrets } from '../secrecy/secret-requests.ts';
import type { SecretValues } from '../secrecy/secret-values.ts';
import type { KeyOwnership } from '../sharding/ownership.ts';
import { ShardRing } from '../sharding/shard-ring.ts';
import { ManagedCaches } from './caches.ts';
import { Leadership } from './leadership.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { ManagerOptions } from './options.ts';

/** Time in which the pending events are written at a stop, in milliseconds. */
const flushMs = 5_000;

/** Parts of `ManagerConnections`. */
export interface ConnectionsParts {
  readonly options: ManagerOptions;
  /** Name of the manager. */
  readonly name: string;
  readonly log: Logger;
  /** Receives the values of the Secrets that clients of the manager read and write. */
  readonly secrets: SecretValues;
  /** Called for each Event that is reported, in the context of its run. Must not throw. */
  readonly reported: (event: EventToRecord) => void;
}

/** Clients, election, caches and recorder of one manager. */
export class ManagerConnections {
  /** Sends every request; its writes are neither fenced nor recorded. */
  readonly rest: RESTClient;
  /** Refuses writes without leadership; without an election it is `open`. */
  readonly fenced: RESTClient;
  /** Records writes. */
  readonly open: RESTClient;
  readonly elector: LeaderElector | undefined;
  readonly ring: ShardRing | undefined;
  /** Fence of the election or the ring. */
  readonly fence: WriteFence | undefined;
  readonly caches: ManagedCaches;
  readonly recorder: EventRecorder;
  /** Last writes of all clients. */
  readonly noops: NoopWrites = new NoopWrites();
  readonly #options: ManagerOptions;
  /** Leadership or ring; absent without one. */
  readonly #ownership: KeyOwnership | undefined;
  readonly #secrets: SecretValues;
  readonly #reported: ConnectionsParts['reported'];

  /**
   * @throws {ConfigError} if the configuration is invalid
   * @throws {TypeError | RangeError} if options are invalid
   */
  constructor(config: ClusterConfig, { options, name, log, secrets, reported }: ConnectionsParts) {
    const { environment = systemEnvironment } = options;
    const leaderElection = options.leaderElection && electionOf(options.leaderElection);
    this.#options = { ...options, leaderElection };
    this.#secrets = secrets;
    this.#reported = reported;
    if (options.sharding !== undefined && leaderElection !== undefined) {
      throw new TypeError('pass either sharding or leaderElection: a ring has no leader');
    }
    const { transport } = options.client ?? {};
    // Otherwise it has a connection of its own, in a worker thread.
    const connection = transport ? new RESTClient(config, { transport, encoding: 'json' }) : config;
    this.elector =
      leaderElection &&
      new LeaderElector(connection, {
        environment: options.environment,
        ...leaderElection,
      });
    const fieldManager = options.client?.fieldManager ?? name;
    this.rest = new RESTClient(config, { ...options.client, fieldManager, beforeSend: checkGuard });
    this.ring =
      options.sharding && new ShardRing({ rest: this.rest, options: options.sharding, log, environment });
    const { leaseDurationMs } = leaderElection ?? {};
    const leadership =
      this.elector &&
      new Leadership({ elector: this.elector, leaseDurationMs, log, clock: environment.clock });
    this.#ownership = leadership ?? this.ring;
    this.fence = leadership ?? this.ring?.fence;
    this.caches = new ManagedCaches((rest) => this.#isOwn(rest));
    // With a fence there are other replicas, whose open clients write, too.
    const openScope = this.fence && {};
    const turn = eventLoopTurn(environment.clock);
    const common = {
      rest: observingSecrets(this.rest, secrets, turn),
      fieldManager,
      caches: this.caches,
      owners: this.caches,
      noops: this.noops,
      openScope,
    };
    const guarded = (fence: WriteFence | undefined): RESTClient =>
      pacedWrites(managedClient({ ...common, fence }), turn);
    this.open = guarded(undefined);
    this.fenced = this.fence === undefined ? this.open : guarded(this.fence);
    this.recorder = new EventRecorder({ rest: this.rest, reportingController: name, log, environment });
  }

  /** Returns the parts of a controller's host that send requests. */
  partsOf({
    needsLeadership,
  }: AnyController): Pick<ControllerHost, 'requests' | 'secrets' | 'ownership' | 'eventsOf'> {
    const { fenced, open, recorder } = this;
    const rest = needsLeadership ? fenced : open;
    return {
      requests: {
        patch: (path, body, signal, other = rest) =>
          other.patch(path, { body, contentType: 'application/json-patch+json', signal }),
      },
      secrets: this.#secrets,
      ownership: needsLeadership ? this.#ownership : undefined,
      eventsOf: (regarding) => ({
        event: (event) => {
          const reported = { ...event, regarding };
          this.#reported(reported);
          recorder.event(reported);
        },
      }),
    };
  }

  /** Returns the accesses that controllers, election and ring need. */
  accessesOf(controllers: readonly AnyController[]): readonly Access[] {
    const { leaderElection } = this.#options;
    const { rest } = this;
    const namespace = leaderElection?.namespace ?? (rest.namespace || 'default');
    // Reviews are writes, which the fenced client refuses.
    const restOf = ({ informers }: Informer<KubernetesObject>): RESTClient =>
      this.#isOwn(informers.rest) ? rest : informers.rest;
    return [
      ...informerAccesses(controllers, restOf),
      ...(leaderElection === undefined ? [] : leaseAccesses(rest, namespace, leaderElection.name)),
      ...(this.ring?.accesses ?? []).map((access) => ({
        ...access,
        rest,
        neededBy: ['sharding'],
      })),
    ];
  }

  /** Adds the parts that end last: the pending events are written, then the connections are closed. */
  addTo(lifecycle: Lifecycle): void {
    const timeoutMs = (): number => Math.min(flushMs, 0.9 * lifecycle.leftMs('events'));
    lifecycle.add('events', {
      name: 'events',
      stop: () => this.recorder.stop({ timeoutMs: timeoutMs() }),
    });
    lifecycle.add('connections', { name: 'connections', stop: () => this.rest.close() });
  }

  /** Registers the metrics of event recorder, skipped writes, election and ring. */
  register(registry: Registry): void {
    const { elector, noops, recorder, ring } = this;
    const { leaderElection } = this.#options;
    registerEvents(registry, () => recorder.stats());
    registerWrites(registry, () => noops.memory);
    if (ring !== undefined) registerRing(registry, ring.settings.ring, () => ring.stats());
    if (elector === undefined || leaderElection === undefined) return;
    registerElection(registry, leaderElection.name, () => elector.stats());
  }

  #isOwn(rest: RESTClient): boolean {
    return rest === this.fenced || rest === this.open;
  }
}

/** Returns the election with the lease of `kgen dev --cluster`, for which no deployed operator contends. */
function electionOf(options: LeaderElectorOptions): LeaderElectorOptions {
  const { KGEN_LEASE: name = '' } = process.env;
  return name === '' ? options : { ...options, name };
}
