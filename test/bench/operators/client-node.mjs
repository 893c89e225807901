// The Foo operator by hand on the informers of @kubernetes/client-node: a set of keys as the queue.
import { AppsV1Api, CustomObjectsApi, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { Agent } from 'undici';
import { counter, deploymentOf, reportHeap, settings } from './protocol.mjs';

const { server, ca, cert, key, count, concurrency } = settings;
const config = new KubeConfig();
config.loadFromOptions({
  clusters: [{ name: 'bench', server, caData: btoa(ca) }],
  users: [{ name: 'bench', certData: btoa(cert), keyData: btoa(key) }],
  contexts: [{ name: 'bench', cluster: 'bench', user: 'bench' }],
  currentContext: 'bench',
});
// Without it each request opens a connection.
const agent = new Agent({ connections: 50, connect: { ca, cert, key } });
config.createDispatcher = () => agent;
const deploymentsApi = config.makeApiClient(AppsV1Api);
const foosApi = config.makeApiClient(CustomObjectsApi);
const foo = { group: 'samplecontroller.c9g.io', version: 'v1alpha1', plural: 'foos' };
const path = '/apis/samplecontroller.c9g.io/v1alpha1/foos';
const foos = makeInformer(config, path, () => foosApi.listClusterCustomObject(foo));
const deployments = makeInformer(config, '/apis/apps/v1/deployments', () =>
  deploymentsApi.listDeploymentForAllNamespaces(),
);
const written = counter(count);

const waiting = new Set();
const running = new Set();
let isSynced = false;

function enqueue({ name, namespace }) {
  waiting.add(`${namespace}/${name}`);
  work();
}

function work() {
  if (!isSynced) return;
  for (const id of waiting) {
    if (running.size >= concurrency) return;
    if (running.has(id)) continue;
    waiting.delete(id);
    running.add(id);
    perform(id);
  }
}

async function perform(id) {
  const [namespace, name] = id.split('/');
  try {
    await reconcile(namespace, name);
  } catch (error) {
    if (![404, 409].includes(error.code)) console.error(error);
    setTimeout(enqueue, 100, { namespace, name });
  }
  running.delete(id);
  work();
}

async function reconcile(namespace, name) {
  const found = foos.get(name, namespace);
  if (found === undefined) return;
  const deployment = await ensure(found);
  const availableReplicas = deployment.status?.availableReplicas ?? 0;
  if (found.status?.availableReplicas === availableReplicas) return;
  const body = { ...found, status: { availableReplicas } };
  await foosApi.replaceNamespacedCustomObjectStatus({ ...foo, namespace, name, body });
  if (found.status === undefined) written();
}

async function ensure(found) {
  const { name, namespace, uid } = found.metadata;
  const { apiVersion, kind } = found;
  const owner = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
  const expected = deploymentOf(found);
  expected.metadata.ownerReferences = [owner];
  const known = deployments.get(name, namespace);
  if (known === undefined) return deploymentsApi.createNamespacedDeployment({ namespace, body: expected });
  const isSame =
    known.spec.replicas === found.spec.replicas &&
    known.spec.template.spec.containers[0].image === found.spec.image;
  if (isSame) return known;
  const { resourceVersion } = known.metadata;
  const body = { ...expected, metadata: { ...expected.metadata, resourceVersion } };
  return deploymentsApi.replaceNamespacedDeployment({ namespace, name, body });
}

for (const event of ['add', 'update', 'delete']) {
  foos.on(event, ({ metadata }) => enqueue(metadata));
  deployments.on(event, ({ metadata }) => {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller);
    if (owner?.kind === 'Foo') enqueue({ name: owner.name, namespace: metadata.namespace });
  });
}
for (const informer of [foos, deployments]) {
  informer.on('error', () => setTimeout(() => informer.start(), 1000));
  await informer.start();
}
isSynced = true;
work();
reportHeap();
process.on('SIGTERM', () => process.exit(0));
