/**
 * An operator of somebody else: the controller of KEDA's ScaledObjects, with its scale loops. Its logic is
 * that of the original, except for the bugs that simulations have found.
 */
import { Controller, desiredStateChanged, Manager, type ObjectChange } from '@kgen/controller';
import { type ClusterConfig, InformerFactory, type Stored } from '@kgen/runtime';
import { type Operator, type SimulatedOptions, type SimulateOptions, simulation } from '@kgen/testing';
import { definitions } from './definitions.ts';
import type { ScaledObject } from './kinds.ts';
import { type Original, partsOf } from './parts.ts';
import { pausesOf } from './pauses.ts';
import { finalize, reconcile } from './reconcile.ts';
import { ScaleLoops } from './scale-loops.ts';

/** Returns the operator, with bugs of the original. */
export function portedOperator(...originals: readonly Original[]): Operator {
  const keeps: ReadonlySet<Original> = new Set(originals);
  return (config: ClusterConfig, simulated: SimulatedOptions): Manager => {
    const manager = new Manager(config, { name: 'keda', ...simulated });
    const informers = new InformerFactory(manager);
    const parts = partsOf(manager.rest, informers, keeps);
    const loops = new ScaleLoops(parts);
    const inNamespace = ({ metadata: { namespace } }: { metadata: { namespace: string } }) =>
      parts.objects.lister.list({ namespace }).map(({ metadata: { name } }) => ({ namespace, name }));
    const unless = (original: Original) => (keeps.has(original) ? () => [] : inNamespace);
    const controller = new Controller({
      name: 'scaledobject',
      for: { informer: parts.objects, predicate: keeps.has('ignores labels') ? isRelevant : isChanged },
      owns: [parts.autoscalers],
      watches: [
        { informer: parts.authentications, map: unless('ignores authentications') },
        { informer: parts.objects, map: unless('shares targets'), predicate: isRelevant },
        { informer: parts.autoscalers, map: unless('trusts a stored name') },
      ],
      reconcile: (object, { stopping }) =>
        object.metadata.deletionTimestamp === undefined
          ? reconcile(parts, loops, object, stopping)
          : finalize(parts, loops, object),
    });
    return manager.add(controller);
  };
}

/** Ignores changes of the status, unless the object becomes ready. */
function isChanged(change: ObjectChange<ScaledObject>): boolean {
  return desiredStateChanged(change) || becomesReady(change);
}

/** Ignores other metadata than pauses, too. */
function isRelevant(change: ObjectChange<ScaledObject>): boolean {
  if (change.type !== 'update') return true;
  const { object, old } = change;
  return (
    object.metadata.generation !== old.metadata.generation ||
    object.metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
    pausesOf(object) !== pausesOf(old) ||
    becomesReady(change)
  );
}

function becomesReady(change: ObjectChange<ScaledObject>): boolean {
  return change.type === 'update' && isReady(change.object) && !isReady(change.old);
}

function isReady({ status }: Stored<ScaledObject>): boolean {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
}

const base = { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject' };
const restored = { restoreToOriginalReplicaCount: true };

function sample(name: string, spec: object, annotations: Readonly<Record<string, string>> = {}) {
  return { ...base, metadata: { name, namespace: 'default', annotations }, spec };
}

const queue = (name: string, authentication?: string) => ({
  type: 'metrics-api',
  metadata: { url: `http://metrics/queues/${name}`, targetValue: '5', valueLocation: name },
  ...(authentication !== undefined && { authenticationRef: { name: authentication } }),
});

const samples = [
  sample('web', {
    scaleTargetRef: { name: 'web' },
    pollingInterval: 10,
    cooldownPeriod: 5,
    advanced: { ...restored, horizontalPodAutoscalerConfig: { name: 'web' } },
    triggers: [queue('orders', 'queue')],
  }),
  sample('worker', {
    scaleTargetRef: { name: 'worker', apiVersion: 'apps/v1', kind: 'StatefulSet' },
    pollingInterval: 10,
    cooldownPeriod: 5,
    minReplicaCount: 2,
    maxReplicaCount: 5,
    advanced: restored,
    triggers: [queue('invoices'), { type: 'cpu', metadata: { value: '60' } }],
  }),
  sample('idle', {
    scaleTargetRef: { name: 'web' },
    pollingInterval: 10,
    cooldownPeriod: 5,
    triggers: [queue('invoices', 'object-2')],
  }),
  {
    ...base,
    kind: 'TriggerAuthentication',
    metadata: { name: 'queue-2', namespace: 'default' },
    spec: { secretTargetRef: [{ parameter: 'token', name: 'token', key: 'token' }] },
  },
];

function targetsIn(namespace: string) {
  const template = {
    metadata: { labels: { app: 'target' } },
    spec: { containers: [{ name: 'app', image: 'app:1' }] },
  };
  const spec = { replicas: 3, selector: { matchLabels: { app: 'target' } }, template };
  return [
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace }, spec },
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'worker', namespace },
      spec: { ...spec, serviceName: 'worker' },
    },
    {
      ...base,
      kind: 'TriggerAuthentication',
      metadata: { name: 'queue', namespace },
      spec: { secretTargetRef: [{ parameter: 'token', name: 'token', key: 'token' }] },
    },
  ];
}

const token = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'token', namespace: 'default' },
  data: { token: btoa('secret') },
};

const metrics = simulation.service(
  'metrics',
  { 'GET /queues/:name': ({ params }, items) => String(items.get(params.name) ?? 0) },
  { items: { orders: 7, invoices: 0 }, outlives: () => true },
);

const elsewhere = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'elsewhere' } };

export const options: SimulateOptions = {
  crds: definitions,
  objects: [elsewhere, token, ...targetsIn('default'), ...targetsIn('elsewhere')],
  samples,
  services: [metrics],
};
