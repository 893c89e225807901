// The program of test/bench/simulate-tables.mjs, from the root of the repository, with the hooks beside it:
// `node --import HOOKS test/simulate/tables.mjs SETTINGS`. Runs a part of the operators of the tests, and
// prints a line of JSON for each of them.
import { SimulationError, simulate } from '@kgen/testing';
import { correctOperators } from './correct/index.ts';
import { isRight } from './planted/bug.ts';
import { plantedBugs } from './planted/index.ts';
import { smallBugs } from './small-bugs.ts';

const { part, parts, bugSeeds, seeds } = JSON.parse(process.argv[2]);
const programs = [
  ...[...plantedBugs, ...smallBugs].map((planted) => () => bug(planted)),
  ...Object.entries(correctOperators).map(
    ([name, operator]) =>
      () =>
        correct(name, operator),
  ),
];
for (const program of programs.filter((_, index) => index % parts === part))
  console.log(JSON.stringify(await program()));

/** Searches a bug in the first seeds. */
async function bug(planted) {
  const { bug: name, operator, options } = planted;
  const [result, seconds] = await measured(() =>
    simulate(operator, { ...options, seeds: bugSeeds }).catch((error) => error),
  );
  const isFound = result instanceof SimulationError;
  if (!isFound && result instanceof Error) throw new Error(`${name}: ${result.message}`, { cause: result });
  const { check, seed } = isFound ? result : {};
  return { table: 'bugs', name, check, seed, seconds, isRight: isFound && isRight(planted, result) };
}

/** Runs an operator without bugs. Its failures are findings that are wrong. */
async function correct(name, { operator, options }) {
  let findings = 0;
  const [error, seconds] = await measured(async () => {
    try {
      await simulate(operator, {
        ...options,
        seeds,
        onFailure: () => {
          findings += 1;
        },
      });
      return undefined;
    } catch (failure) {
      return failure;
    }
  });
  if (error !== undefined && !(error instanceof SimulationError)) throw error;
  if (error !== undefined) findings += 1;
  return { table: 'correct', name, seeds: error === undefined ? seeds : 0, seconds, findings };
}

async function measured(run) {
  const before = process.cpuUsage();
  const result = await run();
  const { user, system } = process.cpuUsage(before);
  return [result, (user + system) / 1e6];
}
