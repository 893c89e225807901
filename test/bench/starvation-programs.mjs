// The programs of starvation.mjs: `node starvation-programs.mjs <rest|hot|delays> SETTINGS`. Each runs a
// manager with a ring of shards, whose Lease is renewed on the main thread, with a server within the process.
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Controller, Manager } from '@kgen/controller';
import { Clientset } from '@kgen/kubernetes';
import { configMaps, secrets } from '@kgen/kubernetes/core/v1';
import { InformerFactory } from '@kgen/runtime';
import { watched } from './event-loop-watch.mjs';

const programs = { rest, hot, delays };
const [program, settings] = process.argv.slice(2);
const { count, seconds } = JSON.parse(settings);
const renewMs = 100;

const objects = Array.from({ length: count }, (_, index) => ({
  metadata: { name: `c${index}`, namespace: 'shop', uid: `u${index}`, resourceVersion: `${index + 1}` },
  data: { a: '1' },
}));
const keys = objects.map(({ metadata: { namespace, name } }) => ({ namespace, name }));
const listOf = (items) => JSON.stringify({ kind: 'List', metadata: { resourceVersion: '1000000' }, items });
const lists = { configmaps: listOf(objects), secrets: listOf(objects.slice(0, 1)) };
const leases = new Map();
/** Watches of Secrets. */
const secretWatches = [];
/** Renewals of the Lease. */
let renewals = 0;
let version = 1_000_000;

const none = () => undefined;
const report = (fields, message) => console.error(message, fields);
const manager = new Manager(
  { server: 'http://server.invalid', namespace: 'shop' },
  {
    name: 'bench',
    sharding: {
      name: 'bench',
      namespace: 'shop',
      leaseDurationMs: 6000,
      renewDeadlineMs: 5000,
      retryPeriodMs: renewMs,
    },
    checkPermissions: false,
    client: { transport, encoding: 'json' },
    log: { debug: none, info: none, warn: report, error: report },
  },
);
const client = manager.client(Clientset);
const informers = new InformerFactory(client);

console.log(JSON.stringify(await programs[program]()));

/** Keys at rest: each run applies what the server has already. A change is mapped to all keys. */
async function rest() {
  const runs = counter();
  const work = async ({ metadata: { namespace, name } }) => {
    await client.coreV1
      .configMaps(namespace)
      .apply({ metadata: { name }, data: { a: '1' } }, { force: true });
    runs.add();
  };
  const watches = [{ informer: informers.of(secrets), map: () => keys }];
  controllerOf('a', work, { watches });
  controllerOf('b', work, { watches });
  return measured(
    () => runs.reached(2 * count),
    () => {
      changeSecret();
      return runs.reached(4 * count);
    },
  );
}

/** Keys that are reconciled without a pause, in two controllers. */
async function hot() {
  controllerOf('delay', () => ({ requeueAfterMs: 0 }));
  const self = controllerOf('self', ({ metadata: { namespace, name } }) => self.enqueue({ namespace, name }));
  return measured(
    () => pause(1000),
    () => pause(seconds * 1000),
  );
}

/** Delays that end at the same time. */
async function delays() {
  const runs = counter();
  controllerOf('delays', () => {
    runs.add();
    return { requeueAfterMs: runs.count <= count ? 20_000 - performance.now() : 1e9 };
  });
  return measured(
    () => runs.reached(count),
    () => runs.reached(2 * count),
  );
}

function controllerOf(name, reconcile, more = {}) {
  const controller = new Controller({
    name,
    for: informers.of(configMaps),
    concurrency: 8,
    reconcile,
    ...more,
  });
  manager.add(controller);
  return controller;
}

/** Runs the manager, measures `work`, and stops with SIGTERM. */
async function measured(prepare, work) {
  const running = manager.run();
  await prepare();
  globalThis.gc();
  const idle = await renewalsDuring(() => pause(3000));
  let busy = 0;
  const { ms, stretchMs, gcMs, delayMs } = await watched(async () => {
    busy = await renewalsDuring(work);
  });
  const renewed = busy / idle;
  const started = performance.now();
  process.kill(process.pid, 'SIGTERM');
  await running;
  return { ms, stretchMs, gcMs, delayMs, renewed, stopMs: performance.now() - started };
}

/** Returns the renewals per millisecond. */
async function renewalsDuring(work) {
  const [before, started] = [renewals, performance.now()];
  await work();
  return (renewals - before) / (performance.now() - started);
}

function counter() {
  let expected = Number.POSITIVE_INFINITY;
  let resolve = none;
  const runs = {
    count: 0,
    add: () => {
      runs.count += 1;
      if (runs.count >= expected) resolve();
    },
    reached: (number) =>
      new Promise((done) => {
        expected = number;
        resolve = done;
        if (runs.count >= expected) done();
      }),
  };
  return runs;
}

/** The server: ConfigMaps, a Secret, and the Leases of the ring. */
async function transport({ method, path, query = [], body, stream, signal }) {
  await nextTurn();
  const resource = path.split('/')[path.includes('/namespaces/') ? 6 - Number(path.startsWith('/api/')) : 3];
  if (stream) return watchOf(resource, query, signal);
  if (resource === 'leases') return leaseOf(method, path, body);
  if (method === 'GET') return respond(200, lists[resource]);
  const object = objects[Number(path.split('/').at(-1).slice(1))];
  return respond(200, { apiVersion: 'v1', kind: 'ConfigMap', ...object });
}

async function watchOf(resource, query, signal) {
  if (query.some(([name]) => name === 'sendInitialEvents')) {
    const message = 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch';
    return respond(422, { kind: 'Status', status: 'Failure', reason: 'Invalid', code: 422, message });
  }
  return { ...respond(200, {}), body: changes(resource, signal) };
}

/** The change of the Secret; other objects do not change. */
async function* changes(resource, signal) {
  await new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
    if (resource === 'secrets') secretWatches.push(resolve);
  });
  const object = {
    apiVersion: 'v1',
    kind: 'Secret',
    ...objects[0],
    metadata: { ...objects[0].metadata, resourceVersion: '1000001' },
  };
  yield new TextEncoder().encode(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
  yield* changes('', signal);
}

function changeSecret() {
  for (const send of secretWatches.splice(0)) send();
}

function leaseOf(method, path, body) {
  const name = path.split('/').at(-1);
  if (method === 'GET') return respond(200, { kind: 'LeaseList', metadata: {}, items: [...leases.values()] });
  if (method === 'DELETE') {
    leases.delete(name);
    return respond(200, { kind: 'Status', status: 'Success' });
  }
  version += 1;
  const lease = JSON.parse(body);
  lease.metadata = { uid: 'lease', ...lease.metadata, resourceVersion: String(version) };
  leases.set(lease.metadata.name, lease);
  if (method === 'PUT') renewals += 1;
  return respond(method === 'POST' ? 201 : 200, lease);
}

function respond(status, body) {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  async function* whole() {
    yield bytes;
  }
  return { status, headers: { 'content-type': 'application/json' }, body: whole(), cancel: none };
}
