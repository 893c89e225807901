// The Foo operator on kubernetes-fluent-client, the client of Pepr: its watches call the operator, a set of
// keys is the queue, and each run applies the Deployment and patches the status. It has no cache to read
// from.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GenericKind, K8s, kind, RegisterKind } from 'kubernetes-fluent-client';
import { counter, deploymentOf, reportHeap, settings } from './protocol.mjs';

const { server, ca, cert, key, count, concurrency } = settings;
const kubeconfig = join(mkdtempSync(join(tmpdir(), 'fluent-')), 'kubeconfig');
const user = { 'client-certificate-data': btoa(cert), 'client-key-data': btoa(key) };
const file = {
  clusters: [{ name: 'bench', cluster: { server, 'certificate-authority-data': btoa(ca) } }],
  users: [{ name: 'bench', user }],
  contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
  'current-context': 'bench',
};
writeFileSync(kubeconfig, JSON.stringify(file), { mode: 0o600 });
process.env.KUBECONFIG = kubeconfig;

class Foo extends GenericKind {}
RegisterKind(Foo, { group: 'samplecontroller.c9g.io', version: 'v1alpha1', kind: 'Foo', plural: 'foos' });

const foos = new Map();
const deployments = new Map();
const written = counter(count);
const waiting = new Set();
const running = new Set();
const idOf = ({ metadata: { namespace, name } }) => `${namespace}/${name}`;

function enqueue(id) {
  waiting.add(id);
  work();
}

function work() {
  for (const id of waiting) {
    if (running.size >= concurrency) return;
    if (running.has(id)) continue;
    waiting.delete(id);
    running.add(id);
    perform(id);
  }
}

async function perform(id) {
  try {
    await reconcile(id);
  } catch (error) {
    if (![404, 409].includes(error.status)) console.error(error);
    setTimeout(enqueue, 100, id);
  }
  running.delete(id);
  work();
}

async function reconcile(id) {
  const found = foos.get(id);
  if (found === undefined) return;
  const { name, namespace, uid } = found.metadata;
  const { apiVersion, kind: ownerKind } = found;
  const owner = { apiVersion, kind: ownerKind, name, uid, controller: true, blockOwnerDeletion: true };
  const expected = deploymentOf(found);
  expected.metadata.ownerReferences = [owner];
  const known = deployments.get(id);
  const isSame =
    known?.spec.replicas === found.spec.replicas &&
    known?.spec.template.spec.containers[0].image === found.spec.image;
  const deployment = isSame ? known : await K8s(kind.Deployment).Apply(expected, { force: true });
  const availableReplicas = deployment.status?.availableReplicas ?? 0;
  if (found.status?.availableReplicas === availableReplicas) return;
  const status = { availableReplicas };
  await K8s(Foo).PatchStatus({ apiVersion, kind: ownerKind, metadata: { name, namespace }, status });
  if (found.status === undefined) written();
}

function follow(objects, keyOf) {
  return (object, phase) => {
    if (phase === 'DELETED') objects.delete(idOf(object));
    else objects.set(idOf(object), object);
    const id = keyOf(object);
    if (id !== undefined) enqueue(id);
  };
}

function ownerOf({ metadata: { namespace, ownerReferences = [] } }) {
  const owner = ownerReferences.find(({ controller }) => controller);
  return owner?.kind === 'Foo' ? `${namespace}/${owner.name}` : undefined;
}

await K8s(Foo).Watch(follow(foos, idOf)).start();
await K8s(kind.Deployment).Watch(follow(deployments, ownerOf)).start();
reportHeap();
process.on('SIGTERM', () => process.exit(0));
