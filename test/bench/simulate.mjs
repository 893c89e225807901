// Simulation: seeds in a second of processor time, memory over many seeds, and the records of reconciles,
// each in processes of their own. KGEN_BENCH_SEEDS is the number of seeds of the measurement of memory
// (10,000).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compile } from '../support/compiled-operators.mjs';
import { line, median } from './measure.mjs';

const programs = fileURLToPath(new URL('simulate-programs.mjs', import.meta.url));

/** Measures simulations of the operator of MyApps. */
export function benchSimulate({ node, rounds }) {
  compile();
  const repeat = (name, settings) => Array.from({ length: rounds }, () => run(node, name, settings));
  const figure = (what, values, unit, best = Math.min) => {
    console.log(line(what, values, unit));
    return { what, value: median(values), best: best(...values), unit };
  };
  const rate = (objects) =>
    figure(
      `simulate: seeds of MyApp with ${objects} objects`,
      repeat('rate', { objects, seconds: 10 }).map(({ perSecond }) => perSecond),
      'a second',
      Math.max,
    );
  const records = repeat('records', { reconciles: 200_000 });
  return [
    rate(20),
    rate(3),
    figure(
      'records of one reconcile',
      records.map(({ us }) => us),
      'µs',
    ),
    memory(node, Number(process.env.KGEN_BENCH_SEEDS ?? 10_000)),
  ];
}

function memory(node, seeds) {
  const few = Math.ceil(seeds / 10);
  const { before, after } = run(node, 'memory', { few, seeds });
  const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(2)} MB`;
  const what = `simulate: heap after ${seeds} seeds, of that after ${few}`;
  console.log(`${what.padEnd(52)} ${megabytes(before)} and ${megabytes(after)}`);
  return { what, value: after / before, unit: '×' };
}

function run(node, name, settings) {
  const args = ['--expose-gc', programs, name, JSON.stringify(settings)];
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout);
}
