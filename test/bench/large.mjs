// Many objects and many watches: the cost per object or event must not grow with their number. The variable
// KGEN_BENCH_LARGE is the largest number of selected objects (1,000,000).
import * as programs from './large-programs.mjs';
import { line, median } from './measure.mjs';
import { byTurns, runProgram } from './servers.mjs';

const most = Number(process.env.KGEN_BENCH_LARGE ?? 1_000_000);

const select = {
  metadata: { labels: true },
  spec: { nodeName: true, containers: { image: true } },
  status: { phase: true },
};

const units = { cpuUs: 'µs', relistUs: 'µs', bytes: 'bytes', stretchMs: 'ms', delayMs: 'ms' };
const titles = {
  cpuUs: 'processor for one',
  relistUs: 'processor for one, listed again',
  bytes: 'memory of one',
  stretchMs: 'longest stretch without collections',
  delayMs: 'event-loop delay',
};

/** Settings of each size, from the smallest to the largest. */
const cases = {
  objects: [10_000, 30_000, 100_000].map((count) => ({ count })),
  'selected objects': [most / 100, most / 10, most].map((count) => ({ count, select })),
  events: [50, 150, 500].map((watches) => ({ count: 50_000, watches })),
};

/** Compares the largest size with the smallest one. */
export function benchLarge({ node, project, rounds }) {
  return Object.entries(cases).flatMap(([name, sizes]) => {
    const runs = byTurns(
      rounds,
      sizes.map((settings) => () => {
        const program = settings.watches === undefined ? programs.objects : programs.following;
        return runProgram(node, project, program, settings);
      }),
    );
    for (const [index, { count, watches }] of sizes.entries())
      print(`${watches === undefined ? count : `${watches} watches,`} ${name}`, runs[index]);
    const [smallest] = runs;
    const largest = runs.at(-1);
    const { count, watches } = sizes.at(-1);
    const stretches = largest.map(({ stretchMs }) => stretchMs);
    return [
      ...['cpuUs', 'relistUs', 'bytes'].flatMap((column) => ratio(name, column, largest, smallest)),
      {
        what: `${watches ?? count} ${name}: ${titles.stretchMs}`,
        value: median(stretches),
        best: Math.min(...stretches),
        unit: 'ms',
      },
    ];
  });
}

function print(title, runs) {
  for (const [column, unit] of Object.entries(units)) {
    const values = runs.map((run) => run[column]).filter((value) => value !== undefined);
    if (values.length > 0) console.log(line(`${title}, ${titles[column]}`, values, unit));
  }
}

function ratio(name, column, largest, smallest) {
  if (largest[0][column] === undefined) return [];
  const values = largest.map((run, round) => run[column] / smallest[round][column]);
  const what = `${name}: ${titles[column]}, largest over smallest number`;
  return [{ what, value: median(values), best: Math.min(...values), unit: '×' }];
}
