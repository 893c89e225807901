// Comparison of measurements of programs that ran in turns.
import { line, median } from './measure.mjs';
import { byTurns } from './servers.mjs';

const columns = {
  ms: ['time', 'ms'],
  cpuMs: ['processor', 'ms'],
  firstMs: ['first turn', 'ms'],
  laterMs: ['later turns', 'ms'],
  decodeMs: ['decode', 'ms of the processor'],
  encodeMs: ['encode', 'ms of the processor'],
  firstListMs: ['first list', 'ms'],
  importMs: ["import of core/v1's codecs after it", 'ms'],
  perCpuSecond: ['for a second of the processor', 'events'],
  delayMs: ['event-loop delay', 'ms'],
  gcMs: ['longest collection', 'ms'],
  peakMb: ['peak of memory', 'MB'],
  memoryMb: ['memory', 'MB'],
  residentMb: ['resident memory', 'MB'],
};

/** Runs the programs in turns, prints their measurements, and returns the runs of each. */
export function measured(title, rounds, runs) {
  const names = Object.keys(runs);
  const raw = byTurns(rounds, Object.values(runs));
  for (const [index, name] of names.entries()) {
    for (const [column, [what, unit]] of Object.entries(columns)) {
      const values = of(raw[index], column);
      if (values.length > 0) console.log(line(`${title}, ${name}, ${what}`, values, unit));
    }
  }
  return Object.fromEntries(names.map((name, index) => [name, raw[index]]));
}

/** Returns one measurement of each run that has it. */
export function of(runs, column) {
  return runs.map((one) => one[column]).filter((value) => value !== undefined);
}

function ratios(runs, beside, column) {
  return of(runs, column).map((value, round) => value / beside[round][column]);
}

/** Returns the median of the ratios within a round, or nothing without runs. */
export function ratio(what, runs, beside, column) {
  if (beside === undefined) return [];
  return [figure(what, ratios(runs, beside, column), '×')];
}

/** Returns the median of the ratios within a round, of which the largest is the best. */
export function ratioUpwards(what, runs, beside, column) {
  const values = ratios(runs, beside, column);
  return { what, value: median(values), best: Math.max(...values), unit: '×' };
}

/** Returns the median of values. */
export function figure(what, values, unit) {
  return { what, value: median(values), best: Math.min(...values), unit };
}
