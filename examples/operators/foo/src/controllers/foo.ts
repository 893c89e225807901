/** Controller of Foos, after Kubernetes' sample-controller: each Foo runs a Deployment of its image. */
import { Controller, type Manager, TerminalError } from '@kgen/controller';
import { deployments } from '@kgen/kubernetes/apps/v1';
import { type InformerFactory, resource, type Stored } from '@kgen/runtime';
import { isControlledBy, setControllerReference } from '@kgen/runtime/objects';
import { type Foo, foos } from '../../generated/samplecontroller.c9g.io/v1alpha1/index.js';

/** Owner of the applied fields. It takes them back from users who have edited them. */
const owner = { fieldManager: 'foo-operator', force: true } as const;

/** Returns the controller, for the manager of the operator. */
export function fooController(manager: Manager, informers: InformerFactory) {
  const deployed = informers.of(deployments);
  return new Controller({
    name: 'foo',
    for: informers.of(foos),
    owns: [deployed],
    concurrency: 4,
    client: {
      foos: resource(manager.rest, foos),
      deployments: resource(manager.rest, deployments),
    },
    // Deletion needs no code: the garbage collector deletes the Deployment that a deleted Foo owned.
    reconcile: async (foo, { client, record, log }) => {
      const { namespace, name } = foo.metadata;
      const existing = deployed.lister.get(namespace, name);
      if (existing !== undefined && !isControlledBy(existing, foo)) {
        const note = `Deployment ${name} exists and does not belong to this Foo`;
        record.event({ type: 'Warning', reason: 'ResourceExists', action: 'Sync', related: existing, note });
        throw new Error(note); // Retried with backoff.
      }
      // Without a difference to the cached Deployment, no request is sent.
      const deployment = await client.deployments.in(namespace).apply(deploymentOf(foo), owner);
      const { availableReplicas = 0 } = deployment.status;
      await client.foos
        .in(namespace)
        .applyStatus({ metadata: { name }, status: { availableReplicas } }, owner);
      const { generation } = deployment.metadata;
      if (existing?.metadata.generation === generation) return;
      log.info({ generation }, `applied Deployment ${namespace}/${name}`);
      record.event({ type: 'Normal', reason: 'Synced', action: 'Sync', note: 'Foo was synced successfully' });
    },
  });
}

function deploymentOf(foo: Stored<Foo>) {
  // Not retried: only a change of the Foo helps.
  if (foo.spec === undefined) throw new TerminalError(`Foo ${foo.metadata.name} has no spec`);
  const { image, replicas } = foo.spec;
  const { name, namespace } = foo.metadata;
  const labels = { app: 'foo', controller: name };
  const spec = {
    // Without a number of replicas, the Deployment keeps its own.
    ...(replicas !== undefined && { replicas }),
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
  };
  return setControllerReference({ metadata: { name, namespace, labels }, spec }, foo);
}
