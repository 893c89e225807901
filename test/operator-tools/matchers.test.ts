/** The matcher of operators in vitest, in the `expect` of jest, and the assertion of `node:test`. */
import '@kgen/testing/vitest';
import { simulationMatchers } from '@kgen/testing';
import { expect as jestExpect } from 'expect';
import { expect, test } from 'vitest';
import { brokenOperator, correctOperator, simulation } from './programs/operators.ts';

const short = { ...simulation, seeds: 2 };

test('passes for an operator that passes', { timeout: 60_000 }, async () => {
  await expect(correctOperator).toPassSimulation(short);
  await expect(expect(correctOperator).not.toPassSimulation(short)).rejects.toThrow('passes all of 2 seeds');
});

test('fails with the story of the failure', { timeout: 60_000 }, async () => {
  await expect(expect(brokenOperator).toPassSimulation(simulation)).rejects.toThrow(
    /the state at rest differs.*create configmaps/s,
  );
});

test('is a matcher of jest', { timeout: 60_000 }, async () => {
  jestExpect.extend(simulationMatchers);
  // seam: the types are those of '@kgen/testing/jest', which needs the global expect of jest.
  const received = jestExpect(correctOperator) as unknown as {
    toPassSimulation(options: object): Promise<void>;
  };
  await received.toPassSimulation(short);
});

test('refuses a value that is not an operator', async () => {
  await expect(expect({}).toPassSimulation(short)).rejects.toThrow('expects an operator: the function');
});
