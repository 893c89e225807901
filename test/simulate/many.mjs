// Runs a range of seeds of an operator of `examples`, in one process on one core:
// node test/simulate/many.mjs --operator myapp --from 1 --to 100000
// Prints progress, and the story of each kind of failure; the run continues after it. Ends with the number
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
const { simulate } = await import('@kgen/testing');
const { operator, options } = await load(values.operator);

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());

const started = performance.now();
const failed = [];
let next = from;
let printedAt = started;
await runSeeds();
const ended = next > to ? '' : `; continue with --from ${next}`;
console.log(`${progress()}${ended}`);
if (failed.length > 0) console.log(`failed seeds: ${failed.join(' ')}`);
process.exitCode = failed.length > 0 || ended !== '' ? 1 : 0;

async function runSeeds() {
  const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const { signal } = stop;
  try {
    await simulate(operator, { ...options, objectsPerSeed, seeds, signal, onSeed: ran, onFailure: fails });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function fails({ seed, error }) {
  failed.push(seed);
  if (error.seed === seed) console.log(`\n${error.message}\n`);
  else console.log(`seed ${seed} fails as seed ${error.seed}: ${error.check} at ${error.site}`);
  // Leaks have the seed 0.
  if (seed > 0) ran({ seed });
}

function ran({ seed }) {
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
