// Programs with many objects or many watches. They run in a fresh process with the settings as JSON in
// $SETTINGS, and print costs per object or event as JSON. The server is a transport within the process, whose
// part of the cost is the same for each object.
import { watchingEventLoop } from './event-loop.mjs';

const serving = `
${watchingEventLoop}
import { Clientset, InformerFactory } from '@kgen/kubernetes';
const { count, select, watches } = JSON.parse(process.env.SETTINGS);
const encoder = new TextEncoder();
const page = 500;
let version = 1_000_000;
const streams = [];

function pod(index) {
  const number = String(index).padStart(12, '0');
  return {
    metadata: {
      name: 'web-' + number,
      namespace: 'ns-' + Math.floor(index / 1000),
      uid: '5f5cf4a8-9d1c-4f0e-9c7b-' + number,
      resourceVersion: String(version),
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: 'app-' + (index % 100), 'pod-template-hash': '5d4f8c7b9d' },
      managedFields: [{ manager: 'large', operation: 'Update', fieldsV1: { 'f:spec': { 'f:nodeName': {} } } }],
    },
    spec: {
      nodeName: 'node-' + (index % 500),
      containers: [{ name: 'a', image: 'registry.example.com/shop/web:1.' + (index % 50), args: ['--x', '--y'] }],
    },
    status: { phase: 'Running' },
  };
}

function respond(status, ...chunks) {
  const headers = { 'content-type': 'application/json' };
  const body = (async function* () { yield* chunks; })();
  return { status, headers, body, cancel() {} };
}

function list(start) {
  const end = Math.min(count, start + page);
  const metadata = { resourceVersion: String(version), ...(end < count && { continue: String(end) }) };
  const items = Array.from({ length: end - start }, (_, index) => pod(start + index));
  return respond(200, encoder.encode(JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata, items })));
}

function watch(signal) {
  const queue = [];
  let wake = () => undefined;
  let ended = false;
  streams.push({
    push: (chunk) => { queue.push(chunk); wake(); },
    end: () => { ended = true; wake(); },
  });
  const body = (async function* () {
    while (!signal.aborted && !(ended && queue.length === 0)) {
      if (queue.length > 0) yield queue.shift();
      else await new Promise((resolve) => { wake = resolve; signal.addEventListener('abort', resolve, { once: true }); });
    }
  })();
  return { status: 200, headers: { 'content-type': 'application/json' }, body, cancel() {} };
}

async function transport({ query = [], stream, signal }) {
  await new Promise((resolve) => setImmediate(resolve));
  const parameters = Object.fromEntries(query);
  if (!stream) return list(Number(parameters.continue ?? 0));
  if (!parameters.sendInitialEvents) return watch(signal);
  const message = 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch';
  const status = { kind: 'Status', status: 'Failure', reason: 'Invalid', code: 422, message };
  return respond(422, encoder.encode(JSON.stringify(status)));
}

function eventOf(type, object) {
  return encoder.encode(JSON.stringify({ type, object }) + '\\n');
}

const clientset = new Clientset({ server: 'http://server.invalid' }, { transport, encoding: 'json' });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;

/** An informer receives all objects, and after the history has expired all of them again. */
export const objects = `
${serving}
async function memory() {
  for (let round = 0; round < 2; round += 1) {
    await pause(50);
    gc();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
const before = await memory();
const factory = new InformerFactory(clientset);
const informer = factory.coreV1.pods(select && { select });
let added = 0;
const synced = await watched(async () => {
  informer.handle({ add: () => { added += 1; } });
  await factory.start();
  await factory.waitForSync({ handlers: true });
});
if (added !== count) throw new Error(added + ' pods were added instead of ' + count);
const bytes = (await memory()) - before;
version += 1;
const started = process.cpuUsage();
streams.at(-1).push(eventOf('ERROR', { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 }));
streams.at(-1).end();
while (!informer.seen(String(version)) || informer.stats().queued > 0) await pause(5);
const { user, system } = process.cpuUsage(started);
console.log(JSON.stringify({
  cpuUs: (synced.cpuMs * 1000) / count,
  relistUs: (user + system) / count,
  bytes: bytes / count,
  stretchMs: synced.stretchMs,
  delayMs: synced.delayMs,
}));
process.exit(0);
`;

/** Watches receive the same number of events in all. */
export const following = `
${serving}
let received = 0;
const follow = async () => {
  for await (const { type } of clientset.coreV1.pods().watch({ resourceVersion: '1' })) if (type) received += 1;
};
for (let index = 0; index < watches; index += 1) void follow();
while (streams.length < watches) await pause(5);
const chunks = Array.from({ length: 100 }, (_, index) =>
  eventOf('MODIFIED', { apiVersion: 'v1', kind: 'Pod', ...pod(index) }),
);
const { cpuMs, stretchMs, delayMs } = await watched(async () => {
  for (let index = 0; index < count; index += 1) {
    streams[index % watches].push(chunks[index % chunks.length]);
    // Each watch receives one event in a turn, however many watches there are.
    if ((index + 1) % watches === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  while (received < count) await new Promise((resolve) => setImmediate(resolve));
});
console.log(JSON.stringify({ cpuUs: (cpuMs * 1000) / count, stretchMs, delayMs }));
process.exit(0);
`;
