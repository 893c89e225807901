// Memory, frames and delays of the page of a busy operator: 20,000 objects, 200 changes a second, and the
// history of an hour, whose changes arrive faster.
// Usage: node test/bench/view-scale.mjs [--objects 20000] [--seconds 3600]
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../../scripts/chromium.mjs';
import { livePage } from '../../src/kgen/dist/view/page.js';
import { servePage } from '../../src/kgen/dist/view/server.js';

const { values } = parseArgs({
  options: { objects: { type: 'string', default: '20000' }, seconds: { type: 'string', default: '3600' } },
});
const objects = Number(values.objects);
const seconds = Number(values.seconds);
const perSecond = 200;

const begin = Date.UTC(2026, 0, 5);
let clock = begin;
let version = objects;
let runs = 0;
let requests = 0;
const versions = new Map();

/** An object of about 2 kB, as a controller of Deployments has it. */
function objectOf(number, at) {
  version += 1;
  const count = (versions.get(number) ?? 0) + 1;
  versions.set(number, count);
  const owner = number % 10;
  const condition = (type, status) => ({
    ...{
      type,
      status,
      reason: 'MinimumReplicasAvailable',
      message: 'The object has the minimum number of replicas.',
    },
    lastTransitionTime: new Date(at).toISOString(),
  });
  const container = {
    ...{ name: 'app', image: `registry.example.com/shop/app:${count % 7}`, imagePullPolicy: 'IfNotPresent' },
    ports: [{ containerPort: 8080, name: 'http', protocol: 'TCP' }],
    env: Array.from({ length: 8 }, (_, index) => ({
      name: `VARIABLE_${index}`,
      value: `value-${number}-${index}`,
    })),
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
  };
  return {
    metadata: {
      ...{
        name: `app-${number}`,
        namespace: `team-${number % 50}`,
        uid: `uid-${number}`,
        resourceVersion: `${version}`,
      },
      ...{
        generation: count,
        labels: { app: `app-${number}`, tier: 'backend', team: `team-${number % 50}` },
      },
      ...(owner !== 0 && {
        ownerReferences: [
          { kind: 'Deployment', name: `app-${number - owner}`, uid: `uid-${number - owner}` },
        ],
      }),
    },
    spec: {
      replicas: 1 + (count % 3),
      template: { spec: { containers: [container], serviceAccountName: 'default' } },
    },
    status: {
      ...{ observedGeneration: count, replicas: 1 + (count % 3), readyReplicas: count % 3 },
      conditions: [
        condition('Available', count % 3 === 0 ? 'False' : 'True'),
        condition('Progressing', 'True'),
      ],
    },
  };
}

const informer = {
  type: 'informer',
  informer: 0,
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  kind: 'Deployment',
};

/** Lines of a number of changes, a quarter of which wake a reconcile with a write. */
function changes(count, now) {
  const lines = [];
  for (let index = 0; index < count; index += 1) {
    clock += 1_000 / perSecond;
    const at = now ?? clock;
    const number = Math.floor(Math.random() * objects);
    const object = objectOf(number, at);
    lines.push({ type: 'change', at, informer: 0, change: 'update', object });
    if (index % 4 !== 0) continue;
    runs += 1;
    requests += 1;
    const { name, namespace } = object.metadata;
    const cause = [{ type: 'update', informer: 'deployments.apps', object: `${namespace}/${name}` }];
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}/status`;
    const common = { at, run: runs };
    lines.push(
      {
        type: 'start',
        ...common,
        worker: 1 + (runs % 4),
        controller: 'app',
        key: { namespace, name },
        attempt: 1,
        cause,
      },
      {
        type: 'request',
        ...common,
        request: requests,
        method: 'PATCH',
        path,
        query: [],
        body: { status: object.status },
      },
      { type: 'response', ...common, request: requests, result: 'skipped' },
      { type: 'end', ...common, at: at + 3, outcome: { type: 'success' }, reads: [] },
    );
  }
  return lines;
}

const text = (head, lines) => [head, ...lines].map((line) => JSON.stringify(line)).join('\n');
const increment = (lines, now) =>
  text(
    { type: 'kgen recording increment', version: 1, instance: 'a', after: 0, position: 0, at: now ?? clock },
    lines,
  );

let isBegun = false;
let mode = 'history';
let lastAt = 0;

async function source() {
  if (!isBegun) {
    isBegun = true;
    const all = Array.from({ length: objects }, (_, number) => ({
      type: 'object',
      informer: 0,
      object: objectOf(number, clock),
    }));
    const time = new Date(begin).toISOString();
    const header = {
      type: 'kgen recording',
      version: 1,
      program: 'busy',
      reason: 'live',
      from: time,
      to: time,
    };
    return {
      tag: '1',
      text: text({ ...header, secrets: false, instance: 'a', position: 0 }, [informer, ...all]),
    };
  }
  if (mode === 'history') {
    if (clock >= begin + seconds * 1_000) return { tag: '2', text: '' };
    return { tag: '2', text: increment(changes(perSecond * 10)) };
  }
  const now = Date.now();
  const count = Math.min(200, Math.round(((now - lastAt) / 1_000) * perSecond));
  lastAt = now;
  return { tag: '3', text: increment(changes(count, now), now) };
}

const { url, close } = await servePage(livePage(), { sources: { operator: source } });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
page.setDefaultTimeout(120_000);
const session = await page.context().newCDPSession(page);
const mebibytes = (bytes) => Math.round(bytes / 1024 / 1024);

async function heap() {
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return mebibytes(usedSize);
}

/** Scrolls a list for some time. Returns the frames of a second, and the longest one in milliseconds. */
function scroll(ms) {
  return page.evaluate(`new Promise((resolve) => {
    const list = document.querySelector('[role=listbox]');
    const begin = performance.now();
    let [frames, last, longest] = [0, begin, 0];
    const frame = (now) => {
      frames += 1;
      longest = Math.max(longest, now - last);
      last = now;
      list.scrollTop += 60;
      if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) list.scrollTop = 0;
      if (now - begin < ${ms}) requestAnimationFrame(frame);
      else resolve({ perSecond: Math.round((frames / (now - begin)) * 1000), longest: Math.round(longest) });
    };
    requestAnimationFrame(frame);
  })`);
}

await page.goto(url);
const started = Date.now();
await page.getByRole('link', { name: 'Objects' }).waitFor();
console.log(`${objects} objects shown after ${Date.now() - started} ms, heap ${await heap()} MiB`);
while (clock < begin + seconds * 1_000) await new Promise((resolve) => setTimeout(resolve, 500));
await new Promise((resolve) => setTimeout(resolve, 1_000));
const kept = await page.evaluate(`document.querySelector('[role=status]').textContent`);
console.log(
  `history of ${seconds} s (${seconds * perSecond} changes, ${runs} reconciles): heap ${await heap()} MiB; the page has ${kept}`,
);
mode = 'live';
lastAt = Date.now();
for (const view of ['Reconciles', 'Objects', 'Requests']) {
  await page.getByRole('navigation').getByRole('link', { name: view }).click();
  await page.getByRole('listbox').waitFor();
  if (view === 'Objects') await page.locator('[role=option]').first().click();
  await page.evaluate(`{
    globalThis.delays = [];
    const show = Response.prototype.json;
    Response.prototype.json = async function () {
      const begin = performance.now();
      const value = await show.call(this);
      requestAnimationFrame(() => setTimeout(() => globalThis.delays.push(performance.now() - begin)));
      return value;
    };
  }`);
  const { perSecond: frames, longest } = await scroll(5_000);
  const times = await page.evaluate('globalThis.delays');
  times.sort((one, other) => one - other);
  const at = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  console.log(
    `${view}: ${frames} frames a second while scrolling, longest ${longest} ms; ${times.length} updates in 5 s, from the ` +
      `response to the frame: median ${at(0.5)} ms, 95 % ${at(0.95)} ms`,
  );
}
console.log(`heap at the end ${await heap()} MiB (goal: at most 150)`);
await browser.close();
await close();
