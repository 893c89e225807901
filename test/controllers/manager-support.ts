/** A server in memory with Leases, and parts of a manager that record what happens to them. */
import { Controller, type Reconcile, type Runnable } from '@kgen/controller';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { onTestFinished } from 'vitest';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import type { World } from './support.ts';

/** Leases as a CRD: the server in memory has no kinds of its own besides namespaces. */
export const leaseDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'leases.coordination.k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes' },
  },
  spec: {
    group: 'coordination.k8s.io',
    scope: 'Namespaced',
    names: { kind: 'Lease', plural: 'leases', singular: 'lease', listKind: 'LeaseList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** The lease of the tests. */
export const election = { name: 'test', namespace: 'shop' } as const;

/** Reads and edits the lease of the tests. */
export interface LeaseAccess {
  /** Returns the holder; `undefined` before the lease exists. */
  holder(): Promise<string | undefined>;
  /** Makes another process the holder, as if it had taken over. */
  take(holder: string): Promise<void>;
}

/** Returns access to the lease. */
export function leaseOf({ server }: World): LeaseAccess {
  const client = new DynamicClient(server.config);
  onTestFinished(() => client.close());
  const leases = client
    .resource({ group: 'coordination.k8s.io', version: 'v1', resource: 'leases' })
    .namespace(election.namespace);
  return {
    holder: async () => {
      const spec: unknown = (await leases.find(election.name))?.['spec'];
      return typeof spec === 'object' && spec !== null ? Reflect.get(spec, 'holderIdentity') : undefined;
    },
    take: async (holderIdentity) => {
      const now = new Date().toISOString().replace('Z', '000Z');
      const spec = { holderIdentity, leaseDurationSeconds: 15, acquireTime: now, renewTime: now };
      const object = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: election.name },
        spec,
      };
      if ((await leases.find(election.name)) === undefined) await leases.create(object);
      else await leases.patch(election.name, { spec }, { type: 'merge' });
    },
  };
}

/** Returns a controller of MyApps in `shop` that calls `reconcile`. */
export function appController(
  { informers }: World,
  reconcile: Reconcile<MyApp, undefined>,
  options: { readonly name?: string; readonly leaderElection?: boolean; readonly timeoutMs?: number } = {},
): Controller<MyApp> {
  return new Controller({ name: 'myapp', ...options, for: informers.myV1.myApps(), reconcile });
}

/** Returns a runnable that adds its steps to `story`. */
export function recorded(
  phase: NonNullable<Runnable['phase']>,
  story: string[],
  steps: {
    readonly start?: Runnable['start'];
    readonly run?: Runnable['run'];
    readonly stop?: Runnable['stop'];
  } = {},
): Runnable {
  const note = (step: string): void => void story.push(`${phase} ${step}`);
  return {
    name: phase,
    phase,
    start: async (context) => {
      note('starts');
      await steps.start?.(context);
    },
    run: async (context) => {
      note('runs');
      await (steps.run?.(context) ?? aborted(context.stopping));
      note('ended');
    },
    stop: async () => {
      note('stops');
      await steps.stop?.();
    },
  };
}

/** Resolves when a signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
