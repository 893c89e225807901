// Runs a range of seeds of an operator of `examples`, in one process on one core:
// node test/simulate/many.mjs --operator myapp --from 1 --to 100000
// Prints progress, and the story of each seed that fails; the run continues after it. Ends with the number
// of seeds and their rate, with status 1 if a seed has failed. After an interruption (Ctrl-C), the last line
// says with which seed to continue. Several processes may run ranges of their own at the same time.
import { parseArgs } from 'node:util';
import { compile, load, names } from '../support/compiled-operators.mjs';

const usage = `usage: node test/simulate/many.mjs --operator <${names.join('|')}> [--from 1] [--to 1000] [--objects 3]
  [--every 30]: seconds between two lines of progress`;

const integer = { type: 'string' };
const { values } = parseArgs({
  options: {
    operator: { type: 'string' },
    from: { ...integer, default: '1' },
    to: { ...integer, default: '1000' },
    objects: { ...integer, default: '3' },
    every: { ...integer, default: '30' },
  },
});
const [from, to, objectsPerSeed, every] = [values.from, values.to, values.objects, values.every].map(Number);
if (!names.includes(values.operator) || ![from, to, objectsPerSeed, every].every(Number.isSafeInteger)) {
  console.error(usage);
  process.exit(2);
}

// Lines of the sources in stories. Node.js applies source maps only to modules that it loads afterwards.
process.setSourceMapsEnabled(true);
compile();
const { simulate, SimulationError } = await import('@kgen/testing');
const { operator, options } = await load(values.operator);

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

const started = performance.now();
const failed = [];
let next = from;
let printedAt = started;
while (next <= to && !stop.signal.aborted) await runUntilFailure();
const ended = next > to ? '' : `; continue with --from ${next}`;
console.log(`${progress()}${ended}`);
if (failed.length > 0) console.log(`failed seeds: ${failed.join(' ')}`);
process.exitCode = failed.length > 0 || ended !== '' ? 1 : 0;

async function runUntilFailure() {
  const first = next;
  const seeds = Array.from({ length: to - first + 1 }, (_, index) => first + index);
  try {
    await simulate(operator, { ...options, objectsPerSeed, seeds, signal: stop.signal, onSeed: passed });
  } catch (error) {
    if (stop.signal.aborted) return;
    if (!(error instanceof SimulationError)) throw error;
    console.log(`\n${error.message}\n`);
    // Seed 0 is the run without faults, which precedes the others.
    if (error.seed === 0) throw error;
    failed.push(error.seed);
    next = error.seed + 1;
  }
}

function passed({ seed }) {
  next = seed + 1;
  const now = performance.now();
  if (now - printedAt < every * 1_000) return;
  printedAt = now;
  console.log(progress());
}

function progress() {
  const seconds = (performance.now() - started) / 1_000;
  const done = next - from;
  const heap = process.memoryUsage().heapUsed / 2 ** 20;
  const parts = [
    `${values.operator}: ${done} of ${to - from + 1} seeds from ${from}`,
    `${failed.length} failed`,
    `${(done / seconds).toFixed(1)} a second`,
    `heap ${heap.toFixed(0)} MB`,
  ];
  return parts.join(', ');
}
