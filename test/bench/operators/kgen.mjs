// The Foo operator on @kgen/controller.
import { Controller, Manager } from '@kgen/controller';
import { Clientset, InformerFactory } from '@kgen/kubernetes';
import { setControllerReference } from '@kgen/runtime/objects';
import { Clientset as FooClientset, InformerFactory as FooInformers } from './foos/index.js';
import { counter, deploymentOf, reportHeap, settings } from './protocol.mjs';

const { server, ca, cert, key, count, concurrency } = settings;
const none = () => undefined;
const report = (fields, message) => console.error(message, fields);
const manager = new Manager(
  { server, tls: { ca, cert, key } },
  { name: 'foo-operator', log: { debug: none, info: none, warn: report, error: report } },
);
const client = manager.client(Clientset);
const fooClient = manager.client(FooClientset);
const informers = new InformerFactory(client);
const fooInformers = new FooInformers(fooClient);
const written = counter(count);

manager.add(
  new Controller({
    name: 'foo',
    for: fooInformers.samplecontrollerV1alpha1.foos(),
    owns: [informers.appsV1.deployments()],
    client,
    concurrency,
    reconcile: async (foo) => {
      const { namespace } = foo.metadata;
      const intent = setControllerReference(deploymentOf(foo), foo);
      const { status = {} } = await client.appsV1
        .deployments(namespace)
        .apply(intent, { fieldManager: 'foo-operator', force: true });
      const { availableReplicas = 0 } = status;
      const isFirst = foo.status === undefined;
      await fooClient.samplecontrollerV1alpha1
        .foos(namespace)
        .updateStatus({ ...foo, status: { availableReplicas } });
      if (isFirst) written();
    },
  }),
);
reportHeap();
await manager.run();
process.exit(0);
