/** Other processes of the program, by which a managed process is replaced for a while. */

import { Manager, type ShardingOptions } from '@kgen/controller';
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import type { Transport } from '@kgen/runtime/rest';
import { pathOf } from './kinds.ts';

/** A server. */
export interface Cluster {
  readonly config: ClusterConfig;
  readonly transport: Transport;
}

/** Durations that no test outlasts, as none of them is about a Lease that expires. */
export const timing = { leaseDurationMs: 600_000, renewDeadlineMs: 400_000, retryPeriodMs: 10 } as const;
/** Field manager of the program, and name of its election. */
export const operator = 'operator';
/** Does nothing. */
export const ignore = (): void => undefined;
/** Options of all managers. */
export const common = {
  name: operator,
  handleSignals: false,
  checkPermissions: false,
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
} as const;
const leases = { group: 'coordination.k8s.io', resource: 'leases' };

/** Another member of the ring, which reconciles nothing. */
export class Member {
  readonly #manager: Manager;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor({ config, transport }: Cluster, namespace: string, identity: string) {
    const sharding: ShardingOptions = { ...timing, name: operator, namespace, identity };
    this.#manager = new Manager(config, { ...common, client: { transport }, sharding });
    this.#running = this.#manager.run({ signal: this.#stop.signal });
    this.#running.catch(ignore);
  }

  async ownedSlots(): Promise<number> {
    const metrics = await this.#manager.metrics.registry.metrics();
    return Number(/kgen_sharding_slots\{.*state="owned".*\} (\d+)/.exec(metrics)?.[1] ?? 0);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

/** Lease of the election, held by another process. */
export class HeldLease {
  readonly #rest: RESTClient;
  readonly #namespace: string;

  constructor({ config, transport }: Cluster, namespace: string) {
    this.#rest = new RESTClient(config, { transport });
    this.#namespace = namespace;
  }

  async hold(): Promise<void> {
    const now = new Date().toISOString().replace('Z', '000Z');
    await this.#rest.patch(pathOf(leases, 'v1', this.#namespace, operator), {
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager: 'test', force: true },
      body: {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: operator },
        spec: { holderIdentity: 'other', leaseDurationSeconds: 3600, acquireTime: now, renewTime: now },
      },
    });
  }

  async release(): Promise<void> {
    const path = pathOf(
      { group: 'coordination.k8s.io', resource: 'leases' },
      'v1',
      this.#namespace,
      operator,
    );
    await this.#rest.patch(path, { body: { spec: { holderIdentity: '', leaseDurationSeconds: 1 } } });
  }
}
