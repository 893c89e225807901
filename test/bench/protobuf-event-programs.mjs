// Programs that receive many changes from one watch, in the encoding of the settings. They run in a fresh
// process with the settings as JSON in $SETTINGS, and print the events per second of processor time as JSON.
// Each lists first, so that the cost of a first request is not measured.

const measuring = `
import { Pool } from 'undici';
const { server, ca, prefix, path, changes, encoding } = JSON.parse(process.env.SETTINGS);
const pool = new Pool(server, { connections: 2, connect: { ca }, bodyTimeout: 0 });
async function measure(all) {
  const started = performance.now();
  const before = process.cpuUsage();
  const { body } = await pool.request({ path: '/go?changes=' + changes, method: 'GET' });
  await body.text();
  await all;
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ ms: performance.now() - started, perCpuSecond: changes / ((user + system) / 1e6) }));
}
`;

/** Baseline: split at line ends, JSON.parse. */
export const bare = `
${measuring}
const headers = { accept: 'application/json' };
const listed = await pool.request({ path: prefix + path, method: 'GET', headers });
JSON.parse(await listed.body.text());
const { body } = await pool.request({ path: prefix + path + '?watch=true', method: 'GET', headers });
async function follow() {
  let events = 0;
  let rest = '';
  body.setEncoding('utf8');
  for await (const chunk of body) {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const line of lines) {
      if (JSON.parse(line).type === 'MODIFIED') events += 1;
      if (events === changes) return;
    }
  }
}
await measure(follow());
await pool.destroy();
`;

/** The verb `watch` of a client. */
export const watching = `
import { Clientset } from '@kgen/kubernetes';
${measuring}
const clientset = new Clientset({ server: server + prefix, tls: { ca } }, { encoding });
await clientset.coreV1.pods().list();
async function follow() {
  let events = 0;
  for await (const { type } of clientset.coreV1.pods().watch({ resourceVersion: '1000000' })) {
    if (type === 'MODIFIED') events += 1;
    if (events === changes) return;
  }
}
await measure(follow());
await clientset.close();
await pool.destroy();
`;

/** An informer with a handler. */
export const informing = `
import { Clientset, InformerFactory } from '@kgen/kubernetes';
${measuring}
const clientset = new Clientset({ server: server + prefix, tls: { ca } }, { encoding });
const factory = new InformerFactory(clientset);
const informer = factory.coreV1.pods();
let events = 0;
const { promise, resolve } = Promise.withResolvers();
const { synced } = informer.handle({
  update: () => {
    events += 1;
    if (events === changes) resolve();
  },
});
await factory.start();
await synced;
await measure(promise);
await factory.stop();
await clientset.close();
await pool.destroy();
`;

/**
 * An informer with a handler, and with the selection of the settings if there is one. Ends when the cache has
 * the last change, for which no handler may be called.
 */
export const following = `
import { Clientset, InformerFactory } from '@kgen/kubernetes';
${measuring}
const { select, lastVersion } = JSON.parse(process.env.SETTINGS);
const clientset = new Clientset({ server: server + prefix, tls: { ca } }, { encoding });
const factory = new InformerFactory(clientset);
const informer = factory.coreV1.pods(select && { select });
let updates = 0;
const { synced } = informer.handle({ update: () => { updates += 1; } });
await factory.start();
await synced;
async function follow() {
  while (!informer.seen(lastVersion)) await new Promise((resolve) => setTimeout(resolve, 20));
  // Handlers are called later.
  while (informer.stats().queued > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}
await measure(follow());
const wanted = select === undefined ? changes : 0;
if (updates !== wanted) throw new Error(updates + ' updates came instead of ' + wanted);
await factory.stop();
await clientset.close();
await pool.destroy();
`;
