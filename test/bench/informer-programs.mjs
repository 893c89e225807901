// Programs that cache all pods, each with another client. They run in a fresh process with the settings as
// JSON in $SETTINGS and print measurements as JSON. Each sends a small request first, so that the modules
// loaded for a first request do not count as work of the cache.
import { watchingEventLoop } from './event-loop.mjs';

const measuring = `
${watchingEventLoop}
const { server, ca, cert, key, token, path, count, prefix, streaming, encoding, select } = JSON.parse(process.env.SETTINGS);
/** Reads every member of a value. */
function read(value) {
  if (typeof value === 'string') return value.length === 0 ? 0 : value.charCodeAt(value.length - 1);
  if (typeof value !== 'object' || value === null) return 1;
  let sum = 0;
  for (const key in value) sum += read(value[key]);
  return sum;
}
const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
/** Cost of the cache: \`sync\` returns a function that lists it. */
async function measure(sync) {
  const { result: list, ...measured } = await watched(sync);
  const objects = list();
  if (objects.length !== count) throw new Error(objects.length + ' pods came instead of ' + count);
  if (read(objects) === 0) throw new Error('the pods are empty');
  objects.length = 0;
  await pause();
  gc();
  await pause();
  gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  if (list().length !== count) throw new Error('the pods went away');
  console.log(JSON.stringify({ ...measured, memoryMb: (heapUsed + external) / 1e6, residentMb: rss / 1e6 }));
}
`;

/** Requests the server to create its responses in advance, so that measurements do not include it. */
export const prepare = `
import { Pool } from 'undici';
const { server, ca, prefix } = JSON.parse(process.env.SETTINGS);
const pool = new Pool(server, { connect: { ca } });
const { statusCode, body } = await pool.request({ path: prefix, method: 'GET' });
await body.text();
if (statusCode !== 200) throw new Error('the server cannot prepare: ' + statusCode);
await pool.close();
console.log('{}');
`;

/** Baseline: all pods in an array, as JSON.parse returns them. */
const bareWith = (kept) => `
import { Pool } from 'undici';
${measuring}
const pool = new Pool(server, { connections: 50, connect: { ca, cert, key } });
const headers = { accept: 'application/json', ...(token && { authorization: 'Bearer ' + token }) };
${kept}
const get = async (query) => {
  const { body } = await pool.request({ path: prefix + path + query, method: 'GET', headers });
  return JSON.parse(await body.text()).items.map(kept);
};
await get('?limit=1');
await measure(async () => {
  const items = await get('');
  return () => [...items];
});
await pool.close();
`;

export const bare = bareWith('const kept = (pod) => pod;');

/** Baseline without managedFields. */
export const bareWithout = bareWith(`
const kept = ({ metadata: { managedFields, ...metadata }, ...pod }) => ({ metadata, ...pod });
`);

/** A factory's informer, with a handler, and with the selection of the settings if there is one. */
export const ours = `
import { Clientset, InformerFactory } from '@kgen/kubernetes';
${measuring}
const config = { server: server + prefix, tls: { ca, cert, key }, ...(token && { auth: { token } }) };
const clientset = new Clientset(config, encoding && { encoding });
const factory = new InformerFactory(clientset, { streaming });
const informer = factory.coreV1.pods(select && { select });
let added = 0;
await clientset.coreV1.pods().list({ limit: 1 });
await measure(async () => {
  const { synced } = informer.handle({ add: () => { added += 1; } });
  await factory.start();
  await factory.waitForSync();
  await synced;
  return () => [...informer.lister.list()];
});
if (added !== count) throw new Error(added + ' pods were added instead of ' + count);
await factory.stop();
await clientset.close();
`;

export const clientNode = `
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
${measuring}
const base64 = (text) => text && Buffer.from(text).toString('base64');
const config = new KubeConfig();
config.loadFromOptions({
  clusters: [{ name: 'c', server: server + prefix, caData: base64(ca) }],
  users: [{ name: 'u', certData: base64(cert), keyData: base64(key), token }],
  contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
  currentContext: 'x',
});
const core = config.makeApiClient(CoreV1Api);
const informer = makeInformer(config, path, () => core.listPodForAllNamespaces());
let added = 0;
let failure;
await core.listPodForAllNamespaces({ limit: 1 });
await measure(async () => {
  informer.on('add', () => { added += 1; });
  informer.on('error', (error) => { failure = error; });
  await informer.start();
  if (failure !== undefined) throw failure;
  return () => informer.list();
});
if (added !== count) throw new Error(added + ' pods were added instead of ' + count);
process.exit(0);
`;
