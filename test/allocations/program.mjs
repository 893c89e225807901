// Bytes that one event of an informer and one run of a controller allocate, with a server within the process:
// `node --expose-gc --min-semi-space-size=512 --max-semi-space-size=512 program.mjs`. Prints JSON.
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { Controller, Manager } from '@kgen/controller';
import { Clientset } from '@kgen/kubernetes';
import { configMaps, secrets } from '@kgen/kubernetes/core/v1';
import { InformerFactory, RESTClient } from '@kgen/runtime';

const count = 1000;
const rounds = 4;
const encoder = new TextEncoder();
const none = () => undefined;
let collections = 0;
let version = 1_000_000;
new PerformanceObserver((list) => (collections += list.getEntries().length)).observe({ entryTypes: ['gc'] });

const managedFields = [
  {
    manager: 'allocations',
    operation: 'Apply',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:a': {} }, 'f:metadata': { 'f:labels': { 'f:app': {} } } },
  },
];
const objects = Array.from({ length: count }, (_, index) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: `c${index}`,
    namespace: 'shop',
    uid: `u${index}`,
    resourceVersion: `${index + 1}`,
    labels: { app: 'web' },
    managedFields,
  },
  data: { a: '0' },
}));
const kinds = { configmaps: 'ConfigMap', secrets: 'Secret' };
const watches = new Map();

const log = { debug: none, info: none, warn: console.error, error: console.error };
const manager = new Manager(
  { server: 'http://server.invalid', namespace: 'shop' },
  { name: 'allocations', checkPermissions: false, client: { transport, encoding: 'json' }, log },
);
const client = manager.client(Clientset);
const informers = new InformerFactory(client);
const api = client.coreV1.configMaps('shop');
let runs = 0;
let value = '0';
const controller = new Controller({
  name: 'allocations',
  for: informers.of(configMaps),
  concurrency: 8,
  reconcile: async ({ metadata: { name } }) => {
    await api.apply({ metadata: { name, labels: { app: 'web' } }, data: { a: value } }, { force: true });
    runs += 1;
  },
});
manager.add(controller);
let events = 0;
const others = new InformerFactory(
  new RESTClient({ server: 'http://server.invalid' }, { transport, encoding: 'json' }),
);
others.of(secrets).handle({ update: () => (events += 1) });
others.start();

void manager.run();
await until(() => runs >= count);
await others.waitForSync();

const figures = {
  skipped: await perUnit(async () => {
    const before = runs;
    for (const { metadata } of objects) controller.enqueue(metadata);
    await until(() => runs >= before + count);
  }),
  sent: await perUnit(async () => {
    const before = runs;
    value = String(Number(value) + 1);
    for (const { metadata } of objects) controller.enqueue(metadata);
    // Its event causes a second run of each, which writes nothing.
    await until(() => runs >= before + 2 * count);
  }),
  event: await perUnit(async () => {
    const before = events;
    for (let index = 0; index < count; index += 1) change('secrets', objects[index]);
    await until(() => events >= before + count);
  }),
};
console.log(JSON.stringify(figures));
process.exit(0);

/** Returns the bytes per object of the round that allocates least: the others compile functions. */
async function perUnit(work) {
  const bytes = [];
  for (let round = 0; round < rounds; round += 1) {
    globalThis.gc();
    // The observer is called later.
    await pause(20);
    collections = 0;
    const before = process.memoryUsage().heapUsed;
    await work();
    const after = process.memoryUsage().heapUsed;
    await pause(20);
    if (collections > 0) throw new Error('the heap was collected meanwhile: use larger semi-spaces');
    bytes.push((after - before) / count);
  }
  return Math.round(Math.min(...bytes));
}

async function until(isReached) {
  while (!isReached()) await turn();
}

async function transport({ method, path, query = [], body, stream, signal }) {
  await turn();
  const resource = path.split('/')[path.includes('/namespaces/') ? 5 : 3];
  if (stream) return watchOf(resource, query, signal);
  if (method === 'GET')
    return respond({
      kind: 'List',
      apiVersion: 'v1',
      metadata: { resourceVersion: '1000000' },
      items: objects,
    });
  const object = objects[Number(path.split('/').at(-1).slice(1))];
  const { data } = JSON.parse(body);
  if (data.a === object.data.a) return respond(object);
  object.data = data;
  return respond(change('configmaps', object));
}

/** Sends an event with a new version of an object. */
function change(resource, object) {
  version += 1;
  object.metadata.resourceVersion = String(version);
  const event = encoder.encode(
    `${JSON.stringify({ type: 'MODIFIED', object: { ...object, kind: kinds[resource] } })}\n`,
  );
  watches.get(resource).push(event);
  return object;
}

function watchOf(resource, query, signal) {
  if (query.some(([name]) => name === 'sendInitialEvents')) {
    const message = 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch';
    return respond({ kind: 'Status', status: 'Failure', reason: 'Invalid', code: 422, message }, 422);
  }
  const waiting = [];
  let wake = none;
  const push = (event) => {
    waiting.push(event);
    wake();
  };
  watches.set(resource, { push });
  async function* body() {
    while (!signal?.aborted) {
      const events = waiting.splice(0);
      yield* events;
      if (events.length === 0) {
        await new Promise((resolve) => {
          wake = resolve;
          signal?.addEventListener('abort', resolve, { once: true });
        });
      }
    }
  }
  return { status: 200, headers: { 'content-type': 'application/json' }, body: body(), cancel: none };
}

function respond(value, status = 200) {
  const bytes = encoder.encode(JSON.stringify(value));
  async function* whole() {
    yield bytes;
  }
  return { status, headers: { 'content-type': 'application/json' }, body: whole(), cancel: none };
}
