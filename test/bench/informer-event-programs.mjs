// Programs that receive many changes from one watch, each with another client. They run in a fresh process
// with the settings as JSON in $SETTINGS, and print changes per second and processor time as JSON. The
// measurement starts when the server begins to send.

const measuring = `
import { Pool } from 'undici';
const { server, ca, prefix, path, count, objects } = JSON.parse(process.env.SETTINGS);
const pool = new Pool(server, { connections: 2, connect: { ca }, bodyTimeout: 0 });
async function measure(all) {
  const started = performance.now();
  const before = process.cpuUsage();
  const { body } = await pool.request({ path: '/go/' + count + '?objects=' + objects, method: 'GET' });
  await body.text();
  await all;
  const perSecond = (count / (performance.now() - started)) * 1000;
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ perSecond, processorUs: (user + system) / count }));
}
`;

/** Baseline: split at line ends, JSON.parse. */
export const bare = `
${measuring}
const { body } = await pool.request({ path: prefix + path + '?watch=true', method: 'GET' });
async function follow() {
  let events = 0;
  let rest = '';
  body.setEncoding('utf8');
  for await (const chunk of body) {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const line of lines) {
      if (JSON.parse(line).type === 'MODIFIED') events += 1;
      if (events === count) return;
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
const clientset = new Clientset({ server: server + prefix, tls: { ca } });
async function follow() {
  let events = 0;
  for await (const { type } of clientset.coreV1.pods().watch({ resourceVersion: '1000000' })) {
    if (type === 'MODIFIED') events += 1;
    if (events === count) return;
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
const clientset = new Clientset({ server: server + prefix, tls: { ca } });
const factory = new InformerFactory(clientset);
const informer = factory.coreV1.pods();
let events = 0;
const { promise, resolve } = Promise.withResolvers();
const { synced } = informer.handle({
  update: () => {
    events += 1;
    if (events === count) resolve();
  },
});
await factory.start();
await synced;
await measure(promise);
await factory.stop();
await clientset.close();
await pool.destroy();
`;
