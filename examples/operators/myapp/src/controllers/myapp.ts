/** Controller of MyApps: each one becomes a Deployment and a Service, and its status shows their state. */
import { Controller, type DependentsState, dependent, type Manager, OwnedDependents } from '@kgen/controller';
import { type Deployment, deployments } from '@kgen/kubernetes/apps/v1';
import { services } from '@kgen/kubernetes/core/v1';
import { type InformerFactory, resource, type Stored } from '@kgen/runtime';
import { findCondition, isControlledBy, setCondition } from '@kgen/runtime/objects';
import {
  type MyApp,
  type MyAppStatus,
  type MyAppStatusCondition,
  myApps,
} from '../../generated/my.domain/v1/index.js';

/** Owner of the applied fields. It takes them back from users who have edited them. */
const owner = { fieldManager: 'myapp-operator', force: true } as const;

/** Returns the controller, for the manager of the operator. */
export function myAppController(manager: Manager, informers: InformerFactory) {
  const deployed = informers.of(deployments);

  // Objects of others that have the same name are not changed.
  const dependents = new OwnedDependents<Stored<MyApp>>(
    [
      dependent({ name: 'Deployment', informer: deployed, desired: deploymentOf, isReady: isAvailable }),
      dependent({ name: 'Service', informer: informers.of(services), desired: serviceOf }),
    ],
    owner,
  );
  // Deletion needs no code: the garbage collector deletes the objects that a deleted MyApp owned.
  return new Controller({
    name: 'myapp',
    for: informers.of(myApps),
    owns: dependents.informers,
    watches: dependents.watches,
    concurrency: 4,
    client: resource(manager.rest, myApps),
    reconcile: async (app, { client, record }) => {
      const { name, namespace, deletionTimestamp } = app.metadata;
      if (deletionTimestamp !== undefined) return;
      // Without a difference to the cached objects, no request is sent.
      const { condition } = await dependents.reconcile(app);
      const ready = readinessOf(condition);
      const deployment = deployed.find(app.metadata);
      const isOurs = deployment !== undefined && isControlledBy(deployment, app);
      const status = statusOf(app, ready, isOurs ? deployment.status.readyReplicas : 0);
      await client.in(namespace).applyStatus({ metadata: { name }, status }, owner);
      if (findCondition(app.status?.conditions, 'Ready')?.reason === ready.reason) return;
      const type = ready.reason === 'Available' || ready.reason === 'Progressing' ? 'Normal' : 'Warning';
      record.event({ type, reason: ready.reason, action: 'Deploy', note: ready.message });
    },
  });
}

function deploymentOf(app: Stored<MyApp>) {
  const { appName, version } = app.spec;
  const ports = [{ name: 'http', containerPort: 8080 }];
  const labels = { ...selectorOf(app), 'app.kubernetes.io/version': version };
  // The number of replicas is not applied: it belongs to users, or to an autoscaler.
  const spec = {
    selector: { matchLabels: selectorOf(app) },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'app', image: `${appName}:${version}`, ports }] },
    },
  };
  return { metadata: metadataOf(app), spec };
}

function serviceOf(app: Stored<MyApp>) {
  const spec = { selector: selectorOf(app), ports: [{ name: 'http', port: 80, targetPort: 'http' }] };
  return { metadata: metadataOf(app), spec };
}

function metadataOf(app: Stored<MyApp>) {
  const { name, namespace } = app.metadata;
  return {
    name,
    namespace,
    labels: { ...selectorOf(app), 'app.kubernetes.io/managed-by': owner.fieldManager },
  };
}

function selectorOf({ metadata }: Stored<MyApp>) {
  return { 'app.kubernetes.io/name': 'myapp', 'app.kubernetes.io/instance': metadata.name };
}

/** The status of a Deployment counts only if its controller has seen the last change. */
function isAvailable({ metadata, spec, status }: Stored<Deployment>): boolean {
  const { observedGeneration = 0, updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status;
  const expected = spec.replicas ?? 1;
  const isCurrent = observedGeneration >= (metadata.generation ?? 0) && updatedReplicas === replicas;
  return isCurrent && availableReplicas === expected && replicas === expected;
}

type Readiness = Pick<MyAppStatusCondition, 'status' | 'reason' | 'message'>;

function readinessOf({ status, reason, message }: DependentsState['condition']): Readiness {
  if (status === 'True') return { status, reason: 'Available', message: 'All replicas are available' };
  if (reason === 'DependentsNotReady')
    return { status, reason: 'Progressing', message: 'The Deployment is being rolled out' };
  return { status, reason: reason === 'DependentInvalid' ? 'Invalid' : 'Conflict', message };
}

function statusOf({ metadata, status }: Stored<MyApp>, ready: Readiness, readyReplicas = 0): MyAppStatus {
  const observedGeneration = metadata.generation;
  const condition = { type: 'Ready', observedGeneration, ...ready };
  return { observedGeneration, readyReplicas, conditions: setCondition(status?.conditions, condition) };
}
