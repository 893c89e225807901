// Compares the processor time of each test project with `test/budget.json`:
// `node scripts/check-budget.mjs TIMES...`, with files that `test/support/times.ts` has written. The floor of
// a project is the time of the others in the same runs: the speed and load of the machine do not count.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A project whose tests take twice the time exceeds it. */
const tolerance = 1.75;

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const budget = read(fileURLToPath(new URL('../test/budget.json', import.meta.url)));
const measured = {};
for (const path of process.argv.slice(2)) {
  for (const [project, seconds] of Object.entries(read(path).projects)) {
    measured[project] = (measured[project] ?? 0) + seconds;
  }
}

/** Returns the time of a project in relation to that of the other ones. */
function ratio(times, project) {
  const total = Object.values(times).reduce((sum, seconds) => sum + seconds, 0);
  return times[project] / (total - times[project]);
}

for (const project of new Set([...Object.keys(budget), ...Object.keys(measured)])) {
  const { [project]: seconds } = measured;
  const times = ratio(measured, project) / ratio(budget, project);
  const isWithin = times <= tolerance;
  if (!isWithin) process.exitCode = 1;
  const comparison = Number.isNaN(times)
    ? `not ${seconds === undefined ? 'measured' : 'in the budget'}`
    : `${seconds.toFixed(0)} s of processor time, ${times.toFixed(2)} times its part of the budget`;
  console.log(`${project}: ${comparison}${isWithin ? '' : ': FAILED'}`);
}
if (process.exitCode === 1) {
  console.log(
    `Allowed are ${tolerance} times. Make the tests faster, or change test/budget.json and state the reason in the commit message.`,
  );
}
