// Work queue: add, get and done of each key, in one process per round, beside a loop over a Map and an array.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { line, median } from './measure.mjs';

/**
 * Prints the operations per second of each workload: an add, a get and a done are three operations. A
 * simulated clock ends the delays, so that no time passes while the queue waits.
 */
const program = `
const { WorkQueue } = await import(process.argv[1]);
const count = Number(process.argv[2]);
const keys = Array.from({ length: count }, (_, index) => 'shop/web-' + index);
const none = undefined;
const scattered = (index) => (index * 7919) % count;
const workloads = {
  'one priority': () => none,
  '10 priorities': (index) => ({ priority: index % 10 }),
  '1,000 priorities': (index) => ({ priority: scattered(index) % 1000 }),
  delays: (index) => ({ afterMs: 1 + scattered(index) }),
};
let now = 0;
const simulated = { clock: { now: () => now, timer: () => () => undefined } };
function run(queue, options) {
  for (let index = 0; index < count; index += 1) queue.add(keys[index], options[index]);
  now += 2 * count;
  let taken = 0;
  for (let key = queue.tryGet(); key !== undefined; key = queue.tryGet()) {
    queue.done(key);
    taken += 1;
  }
  if (taken !== count) throw new Error(taken + ' keys were delivered');
}
/** The least that a de-duplicating queue does: a Map of its keys, and their order. */
function loop() {
  const known = new Map();
  const order = [];
  const processing = new Set();
  for (const key of keys) {
    if (known.has(key)) continue;
    known.set(key, { key });
    order.push(key);
  }
  for (const key of order) {
    known.delete(key);
    processing.add(key);
    processing.delete(key);
  }
}
function perSecond(work) {
  const times = [];
  for (const until = performance.now() + 600; times.length < 2 || performance.now() < until; ) {
    const started = performance.now();
    work();
    times.push(performance.now() - started);
  }
  // The first half warms up.
  const rest = times.slice(times.length / 2).sort((a, b) => a - b);
  return (3 * count * 1000) / rest[Math.floor(rest.length / 2)];
}
const measured = { loop: perSecond(loop) };
for (const [name, optionsOf] of Object.entries(workloads)) {
  const options = keys.map((_, index) => optionsOf(index));
  const environment = name === 'delays' ? { environment: simulated } : {};
  const queue = new WorkQueue({ name, ...environment });
  measured[name] = perSecond(() => run(queue, options));
}
console.log(JSON.stringify(measured));
`;

/** Measures the queue with 10,000 and with 1,000,000 keys; the floor holds for each workload. */
export function benchQueue({ node, root, rounds }) {
  const module = pathToFileURL(join(root, 'src/runtime/dist/exports/queue.js')).href;
  return [10_000, 1_000_000].flatMap((count) => {
    const raw = Array.from({ length: rounds }, () => measure(node, module, count));
    const [first] = raw;
    const columns = Object.keys(first).map((name) => [name, raw.map((one) => one[name])]);
    for (const [name, values] of columns) console.log(line(`${name}, ${count} keys`, values, 'a second'));
    const [[, loop], ...workloads] = columns;
    return workloads.flatMap(([name, values]) => [
      {
        what: `queue operations, ${name}, ${count} keys`,
        value: median(values),
        best: Math.max(...values),
        unit: 'a second',
      },
      {
        what: `time of a loop over a Map and an array, × for ${name}, ${count} keys`,
        value: median(loop) / median(values),
        unit: '×',
      },
    ]);
  });
}

function measure(node, module, count) {
  const args = ['--input-type=module', '-e', program, module, String(count)];
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the queue with ${count} keys ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout);
}
