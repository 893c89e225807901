// The programs of simulate.mjs: `node --expose-gc simulate-programs.mjs <rate|memory|records> SETTINGS`.
import { load } from '../support/compiled-operators.mjs';

const programs = { rate, memory, records };
const [name, settings] = process.argv.slice(2);
console.log(JSON.stringify(await programs[name](JSON.parse(settings))));

/**
 * Simulates for some seconds of processor time, after the first 16 seeds, in which modules are loaded and
 * code is compiled. Wall time would depend on other programs of the machine.
 */
async function rate({ objects, seconds }) {
  const stop = new AbortController();
  const first = 16;
  let started = 0;
  let used = 0;
  let counted = 0;
  await simulated({
    objectsPerSeed: objects,
    seeds: 1_000_000,
    signal: stop.signal,
    onSeed: ({ done }) => {
      if (done === first) started = processorSeconds();
      if (done <= first) return;
      used = processorSeconds() - started;
      counted = done - first;
      if (used >= seconds) stop.abort();
    },
  });
  return { perSecond: counted / used };
}

function processorSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Measures the heap after few seeds and after all. */
async function memory({ few, seeds }) {
  const stop = new AbortController();
  const sizes = [];
  await simulated({
    seeds,
    signal: stop.signal,
    onSeed: ({ done }) => {
      if (done !== few && done !== seeds) return;
      globalThis.gc();
      sizes.push(process.memoryUsage().heapUsed);
      if (done === seeds) stop.abort();
    },
  });
  const [before, after] = sizes;
  return { before, after };
}

/** Ends without an error if the signal aborts. */
async function simulated(own) {
  const { simulate } = await import('@kgen/testing');
  const { operator, options } = await load('myapp');
  try {
    await simulate(operator, { ...options, ...own });
  } catch (error) {
    if (!own.signal.aborted) throw error;
  }
}

/** Records reconciles with two causes, a read and two writes, one of which has changed two fields. */
async function records({ reconciles }) {
  const folder = new URL('../../src/controller/dist/records/', import.meta.url);
  const { RecordLog } = await import(new URL('record-log.js', folder));
  const { RunNotes } = await import(new URL('run-notes.js', folder));
  const log = new RecordLog('bench');
  const once = (number) => log.add(reconcileOf(RunNotes, number), number);
  for (let number = 0; number < reconciles / 10; number += 1) once(number);
  const started = performance.now();
  for (let number = 0; number < reconciles; number += 1) once(number);
  return { us: ((performance.now() - started) * 1_000) / reconciles };
}

function reconcileOf(RunNotes, number) {
  const name = `web-${number % 100}`;
  const object = { group: 'apps', resource: 'deployments', namespace: 'shop', name };
  const state = (version, ready) => ({
    metadata: { name, namespace: 'shop', resourceVersion: String(version) },
    spec: { replicas: 3, template: { spec: { containers: [{ name: 'app', image: 'nginx' }] } } },
    status: { readyReplicas: ready, availableReplicas: ready },
  });
  const [before, after] = [state(number, 1), state(number + 1, 2)];
  const notes = new RunNotes();
  notes.read({ resource: object, namespace: 'shop', name, objects: [before] });
  const request = { method: 'PATCH', path: `/apis/apps/v1/namespaces/shop/deployments/${name}` };
  const write = { isWrite: true, verb: 'patch', request, target: object, before };
  notes.responded(write, { type: 'skipped', response: before });
  notes.responded(write, { type: 'response', response: after });
  const cause = { type: 'update', informer: 'deployments', object: `shop/${name}` };
  return {
    key: { namespace: 'shop', name },
    reconcileID: String(number),
    startedAt: number,
    endedAt: number + 1,
    attempt: 1,
    wakes: {
      wakes: [
        { cause, count: 1, change: { object, before, after } },
        { cause: { type: 'resync' }, count: 1 },
      ],
      omitted: 0,
      since: number,
    },
    notes,
    outcome: { type: 'success' },
  };
}
