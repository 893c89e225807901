// The floor of operators in JavaScript: the requests of the Foo operator with bare undici and JSON.parse.
// It keeps the Foos and whether their Deployments are as written, and has no cache, no queue, no retries
// and no records.
import { Pool } from 'undici';
import { counter, deploymentOf, reportHeap, settings } from './protocol.mjs';

const { server, ca, cert, key, count, concurrency, apply } = settings;
const pool = new Pool(server, { connections: concurrency + 2, connect: { ca, cert, key }, bodyTimeout: 0 });
const foosPath = '/apis/samplecontroller.c9g.io/v1alpha1';
const deploymentsPath = '/apis/apps/v1';
const json = { accept: 'application/json' };
const foos = new Map();
const written = counter(count);

async function send(method, path, body, type) {
  const headers = body === undefined ? json : { ...json, 'content-type': type };
  const response = await pool.request({ path, method, headers, body: body && JSON.stringify(body) });
  return JSON.parse(await response.body.text());
}

async function reconcile(foo) {
  const { name, namespace, uid } = foo.metadata;
  const { apiVersion, kind } = foo;
  const expected = deploymentOf(foo);
  const owner = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
  expected.metadata.ownerReferences = [owner];
  const path = `${deploymentsPath}/namespaces/${namespace}/deployments/${name}?fieldManager=floor&force=true`;
  const deployment = await send('PATCH', path, expected, 'application/apply-patch+yaml');
  const availableReplicas = deployment.status?.availableReplicas ?? 0;
  if (foo.status?.availableReplicas === availableReplicas) return;
  const status = { ...foo, status: { availableReplicas } };
  const own = `${foosPath}/namespaces/${namespace}/foos/${name}/status`;
  const after = await send('PUT', own, status, 'application/json');
  if (foo.status === undefined) written();
  foos.set(name, after);
}

async function watch(path, resourceVersion, handle) {
  const query = `?watch=true&resourceVersion=${resourceVersion}`;
  const { body } = await pool.request({ path: path + query, method: 'GET', headers: json });
  let rest = '';
  for await (const chunk of body.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) handle(JSON.parse(line));
  }
}

if (!apply) throw new Error('the floor applies');
const list = await send('GET', `${foosPath}/foos`);
const deployments = await send('GET', `${deploymentsPath}/deployments`);
for (const { metadata, spec } of list.items) {
  const foo = { apiVersion: 'samplecontroller.c9g.io/v1alpha1', kind: 'Foo', metadata, spec };
  foos.set(metadata.name, foo);
}
watch(`${foosPath}/foos`, list.metadata.resourceVersion, () => {});
watch(`${deploymentsPath}/deployments`, deployments.metadata.resourceVersion, ({ object }) => {
  const foo = foos.get(object.metadata.name);
  if (foo !== undefined && object.spec.replicas !== foo.spec.replicas) reconcile(foo);
});
reportHeap();
process.on('SIGTERM', () => process.exit(0));
const waiting = [...foos.values()].values();
await Promise.all(
  Array.from({ length: concurrency }, async () => {
    for (const foo of waiting) await reconcile(foo);
  }),
);
