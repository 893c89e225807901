// One operator on a fresh server: Foos that exist when it starts, edits of their Deployments, and rest.
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from 'js-yaml';
import { median } from '../measure.mjs';
import { auditLog, operatorUser } from './audit.mjs';
import { OperatorProcess } from './process.mjs';

const namespace = 'default';
const foosPath = `/apis/samplecontroller.c9g.io/v1alpha1/namespaces/${namespace}/foos`;

/**
 * Measures an operator. `api` has the modules of the bench's own client; `program` is the command of the
 * operator; `apply` says how it writes Deployments.
 */
export async function measureOperator({
  root,
  folder,
  api,
  program,
  apply,
  count,
  concurrency,
  edits,
  restMs,
}) {
  const audit = auditLog(mkdtempSync(join(folder, 'audit-')));
  const plane = await api.startControlPlane({ apiServerFlags: audit.flags });
  const clientset = new api.Clientset(plane.config);
  let operator;
  try {
    await createFoos(root, clientset.rest, count);
    const { server, tls } = await plane.addUser(operatorUser, ['system:masters']);
    const started = performance.now();
    operator = new OperatorProcess(program, { server, ...tls, count, concurrency, apply });
    await expectConverged(operator);
    const wallSeconds = (performance.now() - started) / 1000;
    const cpuSeconds = operator.cpuSeconds();
    // Events of the last writes, and runs that follow from them.
    await sleep(3000);
    const peakMb = operator.peakMb();
    const requests = await audit.requests();
    const heapMb = await operator.heapMb();
    const repairs = await measureRepairs(clientset.appsV1.deployments(namespace), { count, edits });
    await sleep(2000);
    const atRest = operator.threadSeconds();
    await sleep(restMs);
    const restPercent = ((operator.threadSeconds() - atRest) / restMs) * 1000 * 100;
    await checkObjects(clientset, count);
    const total = Object.values(requests).reduce((sum, one) => sum + one, 0);
    return { requests, total, wallSeconds, cpuSeconds, heapMb, peakMb, restPercent, ...repairs };
  } finally {
    await operator?.stop();
    await clientset.close();
    await plane.stop();
  }
}

/** Runs an operator once on a fresh server, and writes the responses that it received into a file. */
export async function recordTape({ root, api, program, apply, file, count, concurrency }) {
  const plane = await api.startControlPlane();
  const clientset = new api.Clientset(plane.config);
  let operator;
  try {
    await createFoos(root, clientset.rest, count);
    const { server, tls } = await plane.addUser(operatorUser, ['system:masters']);
    operator = new OperatorProcess(program, { server, ...tls, count, concurrency, apply, record: file });
    await expectConverged(operator);
    await sleep(2000);
    await operator.save();
  } finally {
    await operator?.stop();
    await clientset.close();
    await plane.stop();
  }
}

async function expectConverged(operator) {
  const line = await operator.line();
  if (line !== 'converged') throw new Error(`the operator printed ${line}`);
}

async function createFoos(root, rest, count) {
  const crd = load(readFileSync(join(root, 'crds/foo.yaml'), 'utf8'));
  await rest.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: crd });
  while ((await rest.get(foosPath).catch(() => undefined)) === undefined) await sleep(100);
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await rest.post(foosPath, { body: fooOf(index) });
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

function fooOf(index) {
  const spec = { image: `registry.example.com/shop/web:1.${index}`, replicas: 1 + (index % 3) };
  return {
    apiVersion: 'samplecontroller.c9g.io/v1alpha1',
    kind: 'Foo',
    metadata: { name: `foo-${index}`, namespace },
    spec,
  };
}

/**
 * Edits Deployments one after another, and measures from the event of each edit to the event of its repair,
 * both on one watch.
 */
async function measureRepairs(deployments, { count, edits }) {
  const { metadata } = await deployments.list({ limit: 1 });
  const times = [];
  let edited;
  const edit = async () => {
    const index = Math.floor((times.length * count) / edits);
    await deployments.patch(`foo-${index}`, { spec: { replicas: 9 } });
  };
  const watch = deployments.watch({ resourceVersion: metadata.resourceVersion });
  const first = edit();
  for await (const { type, object } of watch) {
    if (type !== 'MODIFIED') continue;
    if (object.spec.replicas === 9) {
      edited = performance.now();
      continue;
    }
    if (edited === undefined) continue;
    times.push(performance.now() - edited);
    edited = undefined;
    if (times.length === edits) break;
    await edit();
  }
  await first;
  return { repairMs: median(times), repairP95Ms: times.sort((a, b) => a - b)[Math.floor(edits * 0.95)] };
}

/** Throws unless each Foo has its Deployment and a status. */
async function checkObjects(clientset, count) {
  const [{ items: foos }, { items: deployments }] = await Promise.all([
    clientset.rest.get(foosPath),
    clientset.appsV1.deployments(namespace).list(),
  ]);
  const byName = new Map(deployments.map((one) => [one.metadata.name, one.spec]));
  for (const { metadata, spec, status } of foos) {
    const { replicas, template } = byName.get(metadata.name) ?? {};
    const isRight =
      status?.availableReplicas === 0 &&
      replicas === spec.replicas &&
      template?.spec.containers[0].image === spec.image;
    if (!isRight)
      throw new Error(`${metadata.name} has not converged: ${JSON.stringify(byName.get(metadata.name))}`);
  }
  if (foos.length !== count || deployments.length !== count) throw new Error('objects are missing');
}
