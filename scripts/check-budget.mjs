// Compares the processor time of each test project with `test/budget.json`:
// `node scripts/check-budget.mjs TIMES...`, with files that `test/support/times.ts` has written. Times are
// converted to those of the machine of the budget, by the reference work that was measured during the run.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The speed of a machine is known by a fixed work only; a doubling is a change of the tests. */
const tolerance = 1.75;

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const budgets = read(fileURLToPath(new URL('../test/budget.json', import.meta.url)));
const budget = budgets.projects;
const measured = new Map();
for (const path of process.argv.slice(2)) {
  const { projects, referenceSeconds } = read(path);
  const slowness = (referenceSeconds ?? budgets.referenceSeconds) / budgets.referenceSeconds;
  console.log(
    `${path}: the reference work took ${slowness.toFixed(2)} times the seconds of the budget's machine`,
  );
  for (const [project, seconds] of Object.entries(projects)) {
    measured.set(project, (measured.get(project) ?? 0) + seconds / slowness);
  }
}

for (const project of Object.keys(budget).filter((name) => !measured.has(name))) {
  console.error(`${project}: not measured`);
  process.exitCode = 1;
}
for (const [project, seconds] of measured) {
  const limit = (budget[project] ?? 0) * tolerance;
  const isWithin = seconds <= limit;
  console.log(
    `${project}: ${seconds.toFixed(0)} s of processor time, budget ${budget[project] ?? 'none'} s, limit ${limit.toFixed(0)} s${isWithin ? '' : ': TOO LONG'}`,
  );
  if (!isWithin) process.exitCode = 1;
}
if (process.exitCode === 1) {
  console.error(
    'Make the tests faster, or raise the budget in test/budget.json and state the reason in the commit message.',
  );
}
