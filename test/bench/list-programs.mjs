// Programs that list all pods, each with another client: run in a fresh process, with the settings as JSON in $SETTINGS;
// print what they measured as JSON.

const measuring = `
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
const { server, ca, cert, key, token, path, count, prefix } = JSON.parse(process.env.SETTINGS);
const collections = [];
const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
const delays = monitorEventLoopDelay({ resolution: 1 });
/** Turns of the event loop that took long. */
const turns = [];
let last;
let lastCpu;
function turn() {
  const now = performance.now();
  const { user, system } = process.threadCpuUsage();
  const cpu = (user + system) / 1000;
  if (now - last > 5) turns.push([last, now, cpu - lastCpu]);
  last = now;
  lastCpu = cpu;
}
/** Milliseconds of a turn in which this thread was at work and collected no garbage, at most: others may have had the processor. */
function ownMs([start, end, cpuMs]) {
  let ms = end - start;
  for (const { startTime, duration } of collections) {
    ms -= Math.max(0, Math.min(end, startTime + duration) - Math.max(start, startTime));
  }
  return Math.min(ms, cpuMs);
}
async function measure(list) {
  observer.observe({ entryTypes: ['gc'] });
  delays.enable();
  turn();
  turns.length = 0;
  const timer = setInterval(turn, 1);
  const started = performance.now();
  const { items } = await list();
  const ms = performance.now() - started;
  turn();
  // Collections are told of a turn later.
  await new Promise((resolve) => setTimeout(resolve, 50));
  clearInterval(timer);
  delays.disable();
  observer.disconnect();
  if (items.length !== count) throw new Error(items.length + ' pods came instead of ' + count);
  const delayMs = delays.max / 1e6;
  const stretchMs = Math.max(0, ...turns.map(ownMs));
  const gcMs = Math.max(0, ...collections.map(({ duration }) => duration));
  const peakMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ ms, delayMs, stretchMs, gcMs, peakMb }));
}
`;

/** What anybody could write who knows undici. */
export const bare = `
import { Pool } from 'undici';
${measuring}
const pool = new Pool(server, { connections: 50, connect: { ca, cert, key } });
const headers = { accept: 'application/json', ...(token && { authorization: 'Bearer ' + token }) };
const get = async (path) => {
  const { body } = await pool.request({ path, method: 'GET', headers });
  return JSON.parse(await body.text());
};
await get(path + '?limit=1');
await measure(() => get(path));
await pool.close();
`;

export const ours = `
import { RESTClient, resource } from '@kgen/runtime';
import { pods } from '@kgen/kubernetes/core/v1';
${measuring}
const rest = new RESTClient({ server: server + prefix, tls: { ca, cert, key }, ...(token && { auth: { token } }) });
const client = resource(rest, pods).in('shop');
await client.list({ limit: 1 });
await measure(() => client.list());
await rest.close();
`;
