// Turns of the event loop while controllers work without IO: the longest stretch of work, the renewals of a
// Lease on the main thread, and the end after SIGTERM. KGEN_BENCH_KEYS is the number of keys (100,000).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { line, median } from './measure.mjs';

const programs = fileURLToPath(new URL('starvation-programs.mjs', import.meta.url));
const titles = {
  rest: 'keys at rest, of two controllers',
  hot: 'keys that never rest, of two controllers',
  delays: 'keys whose delays end at once',
};

/** Measures each program in processes of its own. */
export function benchStarvation({ node, rounds }) {
  const count = Number(process.env.KGEN_BENCH_KEYS ?? 100_000);
  return Object.entries(titles).flatMap(([name, title]) => {
    const runs = Array.from({ length: rounds }, () => run(node, name, { count, seconds: 5 }));
    const figure = (what, member, unit, best = Math.min) => {
      const values = runs.map((each) => each[member]);
      console.log(line(`${count} ${title}: ${what}`, values, unit));
      return { what: `${count} ${title}: ${what}`, value: median(values), best: best(...values), unit };
    };
    return [
      figure('longest stretch without collections', 'stretchMs', 'ms'),
      figure('longest garbage collection', 'gcMs', 'ms'),
      figure('renewals, × those of an idle process', 'renewed', '×', Math.max),
      figure('from SIGTERM to the end', 'stopMs', 'ms'),
    ];
  });
}

function run(node, name, settings) {
  const args = ['--expose-gc', programs, name, JSON.stringify(settings)];
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} ended with ${status}:\n${stderr}`);
  return JSON.parse(stdout);
}
