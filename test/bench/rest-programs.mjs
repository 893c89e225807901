// Programs that request one small object repeatedly, each with another client. They run in a fresh process
// with the settings as JSON in $SETTINGS and print measurements as JSON.

const measuring = `
const settings = JSON.parse(process.env.SETTINGS);
async function run(concurrency, count, get) {
  let left = count;
  const worker = async () => { while (left-- > 0) await get(); };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
async function measure(concurrency, count, send) {
  await run(concurrency, Math.min(count, Math.max(count / 5, 20)), send);
  const [started, before] = [performance.now(), process.cpuUsage()];
  await run(concurrency, count, send);
  const perSecond = (count / (performance.now() - started)) * 1000;
  const { user, system } = process.cpuUsage(before);
  return { perSecond, micros: (user + system) / count };
}
async function report(get, patch) {
  const { single, many } = settings;
  const c1 = await measure(1, single, get);
  const c50 = await measure(50, many, get);
  const patches = patch && { p1: await measure(1, single, patch), p50: await measure(50, many, patch) };
  console.log(JSON.stringify({ c1, c50, ...patches }));
}
const change = { metadata: { labels: { app: 'web', tier: 'back' } } };
`;

/** Baseline: plain undici. */
export const bare = `
import { Pool } from 'undici';
${measuring}
const { server, ca, cert, key, path, token } = settings;
const pool = new Pool(server, { connections: 50, connect: { ca, cert, key } });
const headers = { accept: 'application/json', ...(token && { authorization: 'Bearer ' + token }) };
const send = async (options) => {
  const { body } = await pool.request({ path, ...options });
  return JSON.parse(await body.text());
};
const type = { ...headers, 'content-type': 'application/strategic-merge-patch+json' };
await report(
  () => send({ method: 'GET', headers }),
  () => send({ method: 'PATCH', headers: type, body: JSON.stringify(change) }),
);
await pool.close();
`;

const ourConfig = `
const { server, ca, cert, key, namespace, name, token } = settings;
const config = { server, tls: { ca, cert, key }, ...(token && { auth: { token } }) };
`;

export const ours = `
import { Clientset } from '@kgen/kubernetes';
${measuring}
${ourConfig}
const clientset = new Clientset(config, { encoding: settings.encoding });
const pods = clientset.coreV1.pods(namespace);
await report(
  () => pods.get(name),
  () => pods.patch(name, change),
);
await clientset.close();
`;

/** client-node creates an agent for every request; with \`shared\` all requests share one. */
export const clientNode = `
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { Agent } from 'undici';
${measuring}
const { server, ca, cert, key, namespace, name, token, shared } = settings;
const base64 = (text) => text && Buffer.from(text).toString('base64');
const config = new KubeConfig();
config.loadFromOptions({
  clusters: [{ name: 'c', server, caData: base64(ca) }],
  users: [{ name: 'u', certData: base64(cert), keyData: base64(key), token }],
  contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
  currentContext: 'x',
});
if (shared) {
  const agent = new Agent({ connections: 50, connect: { ca, cert, key } });
  config.createDispatcher = () => agent;
}
const core = config.makeApiClient(CoreV1Api);
await report(() => core.readNamespacedPod({ namespace, name }));
process.exit(0);
`;

/** The client of Pepr reads the kubeconfig and creates an agent for every request. */
export const fluent = `
import { writeFileSync } from 'node:fs';
import { K8s, kind } from 'kubernetes-fluent-client';
${measuring}
const { server, ca, cert, key, namespace, name, token, kubeconfig } = settings;
const base64 = (text) => text && Buffer.from(text).toString('base64');
const file = {
  clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': base64(ca) } }],
  users: [{ name: 'u', user: { 'client-certificate-data': base64(cert), 'client-key-data': base64(key), token } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace } }],
  'current-context': 'x',
};
writeFileSync(kubeconfig, JSON.stringify(file), { mode: 0o600 });
process.env.KUBECONFIG = kubeconfig;
await report(() => K8s(kind.Pod).InNamespace(namespace).Get(name));
process.exit(0);
`;

/** Number of connections of 20,000 requests, 50 at a time. */
export const connections = `
import { Clientset } from '@kgen/kubernetes';
${measuring}
${ourConfig}
const clientset = new Clientset(config);
const count = async () => (await clientset.rest.get('/connections')).connections;
await count();
await run(50, 20_000, () => clientset.coreV1.pods(namespace).get(name));
// The connection of the first request is one of the counted ones.
console.log(JSON.stringify({ connections: (await count()) + 1 }));
await clientset.close();
`;

/**
 * 24,000 requests, one in three of which fails; measures the remaining heap, and the handles still open after
 * \`close\`.
 */
export const leaks = `
import { Clientset } from '@kgen/kubernetes';
${measuring}
${ourConfig}
const open = () => process.getActiveResourcesInfo().sort().join(' ');
const before = open();
const clientset = new Clientset(config);
let count = 0;
const get = () => {
  count += 1;
  return clientset.coreV1.pods(count % 3 === 0 ? 'fail' : namespace).get(name, { maxRetries: 0, timeoutMs: 30_000 }).catch(() => undefined);
};
const heapMb = async () => {
  for (let i = 0; i < 5; i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    global.gc();
  }
  return process.memoryUsage().heapUsed / 1e6;
};
await run(10, 4000, get);
const first = await heapMb();
await run(10, 24_000, get);
const last = await heapMb();
await clientset.close();
await new Promise((resolve) => setTimeout(resolve, 100));
console.log(JSON.stringify({ growthMb: last - first, before, after: open() }));
`;
