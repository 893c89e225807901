/** Operator of MyApps: each one becomes a Deployment and a Service, and its status shows their state. */

import { fileURLToPath } from 'node:url';
import { Controller, Manager, type ManagerOptions } from '@kgen/controller';
import { type Deployment, deployments } from '@kgen/kubernetes/apps/v1';
import { services } from '@kgen/kubernetes/core/v1';
import {
  type ClusterConfig,
  InformerFactory,
  isInvalid,
  loadConfig,
  resource,
  type Stored,
} from '@kgen/runtime';
import { findCondition, setCondition, setControllerReference } from '@kgen/runtime/objects';
import {
  type MyApp,
  type MyAppStatus,
  type MyAppStatusCondition,
  myApps,
} from '../../../generated/crds/my.domain/v1/index.js';

const name = 'myapp-operator';
/** Owner of the applied fields. It takes them back from users who have edited them. */
const owner = { fieldManager: name, force: true } as const;

/** Returns the operator, for a cluster or for a simulation. */
export function myAppOperator(config: ClusterConfig, options: ManagerOptions = {}): Manager {
  const manager = new Manager(config, {
    name,
    leaderElection: { name },
    metrics: { port: Number(process.env['METRICS_PORT'] ?? 8080) },
    health: { port: Number(process.env['HEALTH_PORT'] ?? 8081) },
    ...options,
  });
  const informers = new InformerFactory(manager);

  // Deletion needs no code: the garbage collector deletes the objects that a deleted MyApp owned.
  const controller = new Controller({
    name: 'myapp',
    for: informers.of(myApps),
    owns: [informers.of(deployments), informers.of(services)],
    concurrency: 4,
    client: {
      apps: resource(manager.rest, myApps),
      deployments: resource(manager.rest, deployments),
      services: resource(manager.rest, services),
    },
    reconcile: async (app, { client, record }) => {
      const { namespace } = app.metadata;
      let deployment: Stored<Deployment> | undefined;
      let ready: Readiness;
      try {
        // Without a difference to the cached object, no request is sent.
        deployment = await client.deployments.in(namespace).apply(deploymentOf(app), owner);
        await client.services.in(namespace).apply(serviceOf(app), owner);
        ready = readinessOf(deployment);
      } catch (error) {
        if (!isInvalid(error)) throw error; // Retried with backoff.
        ready = { status: 'False', reason: 'Invalid', message: error.message };
      }
      const status = statusOf(app, ready, deployment?.status.readyReplicas);
      await client.apps.in(namespace).applyStatus({ metadata: { name: app.metadata.name }, status }, owner);
      if (findCondition(app.status?.conditions, 'Ready')?.reason === ready.reason) return;
      const type = ready.reason === 'Invalid' ? 'Warning' : 'Normal';
      record.event({ type, reason: ready.reason, action: 'Deploy', note: ready.message });
    },
  });

  return manager.add(controller);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await myAppOperator(await loadConfig()).run(); // Until SIGTERM or SIGINT.
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
  return setControllerReference({ metadata: metadataOf(app), spec }, app);
}

function serviceOf(app: Stored<MyApp>) {
  const spec = { selector: selectorOf(app), ports: [{ name: 'http', port: 80, targetPort: 'http' }] };
  return setControllerReference({ metadata: metadataOf(app), spec }, app);
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

type Readiness = Pick<MyAppStatusCondition, 'status' | 'reason' | 'message'>;

/** The status of a Deployment counts only if its controller has seen the last change. */
function readinessOf({ metadata, spec, status }: Stored<Deployment>): Readiness {
  const { observedGeneration = 0, updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status;
  const wanted = spec.replicas ?? 1;
  const isCurrent = observedGeneration >= (metadata.generation ?? 0) && updatedReplicas === replicas;
  if (isCurrent && availableReplicas === wanted && replicas === wanted)
    return { status: 'True', reason: 'Available', message: 'All replicas are available' };
  return { status: 'False', reason: 'Progressing', message: 'The Deployment is being rolled out' };
}

function statusOf({ metadata, status }: Stored<MyApp>, ready: Readiness, readyReplicas = 0): MyAppStatus {
  const observedGeneration = metadata.generation;
  const condition = { type: 'Ready', observedGeneration, ...ready };
  return { observedGeneration, readyReplicas, conditions: setCondition(status?.conditions, condition) };
}
