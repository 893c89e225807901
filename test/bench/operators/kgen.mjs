// The Foo operator on @kgen/controller.
import { join } from 'node:path';
import { Controller, Manager } from '@kgen/controller';
import { Clientset, InformerFactory } from '@kgen/kubernetes';
import { setControllerReference } from '@kgen/runtime/objects';
import { Clientset as FooClientset, InformerFactory as FooInformers } from './foos/index.js';
import { counter, deploymentOf, reportHeap, settings } from './protocol.mjs';

const { server, ca, cert, key, count, concurrency, apply, record, replay } = settings;
const none = () => undefined;
const report = (fields, message) => console.error(message, fields);
const tls = { ca, cert, key };
// By its path, so that the operator is bundled without it, and without another undici.
const taping = record || replay ? await import(join(import.meta.dirname, 'tape.mjs')) : undefined;
const tape = record && (await taping.recorder({ server, tls }));
const transport = replay ? taping.replayer(replay) : tape?.transport;
const manager = new Manager(transport ? { server: 'https://tape.invalid' } : { server, tls }, {
  name: 'foo-operator',
  ...(transport && { client: { transport } }),
  log: { debug: none, info: none, warn: report, error: report },
});
if (tape) process.on('SIGUSR2', () => console.log(tape.save(record)));
const client = manager.client(Clientset);
const fooClient = manager.client(FooClientset);
const informers = new InformerFactory(client);
const fooInformers = new FooInformers(fooClient);
const deployments = informers.appsV1.deployments();
const written = counter(count);
const write = apply ? applyDeployment : createOrUpdate;

manager.add(
  new Controller({
    name: 'foo',
    for: fooInformers.samplecontrollerV1alpha1.foos(),
    owns: [deployments],
    client,
    concurrency,
    reconcile: async (foo) => {
      const { status = {} } = await write(foo);
      const { availableReplicas = 0 } = status;
      await fooClient.samplecontrollerV1alpha1
        .foos(foo.metadata.namespace)
        .updateStatus({ ...foo, status: { availableReplicas } });
      if (foo.status === undefined) written();
    },
  }),
);
reportHeap();
await manager.run();
process.exit(0);

function applyDeployment(foo) {
  const intent = setControllerReference(deploymentOf(foo), foo);
  return client.appsV1.deployments(foo.metadata.namespace).apply(intent, { force: true });
}

/** As controllerutil.CreateOrUpdate: reads the cache, and keeps fields that the server has set. */
async function createOrUpdate(foo) {
  const { namespace, name } = foo.metadata;
  const { image, replicas } = foo.spec;
  const api = client.appsV1.deployments(namespace);
  const live = deployments.find({ namespace, name });
  if (live === undefined) return api.create(setControllerReference(deploymentOf(foo), foo));
  const { template } = live.spec;
  const [container] = template.spec.containers;
  if (live.spec.replicas === replicas && container.image === image) return live;
  const containers = [{ ...container, image }];
  const spec = { ...live.spec, replicas, template: { ...template, spec: { ...template.spec, containers } } };
  return api.update({ ...live, spec });
}
