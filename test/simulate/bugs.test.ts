/** Bugs of operators that a simulation finds, each with the rule that it violates. */
import {
  type Operator,
  type ReductionProgress,
  type SimulateOptions,
  SimulationError,
  simulate,
} from '@kgen/testing';
import { describe, expect, test } from 'vitest';
import * as bugs from '../support/operator-bugs.ts';
import { smallBugs, smallOptions } from './small-bugs.ts';

/** Returns the failure of the first of 1,000 seeds that fails. */
async function failureOf(
  operator: Operator,
  options: SimulateOptions = smallOptions,
): Promise<SimulationError> {
  const result = await simulate(operator, { ...options, seeds: 1_000 }).catch((error: unknown) => error);
  if (result instanceof SimulationError) return result;
  throw new Error('the simulation has found nothing', { cause: result });
}

describe('simulate', { timeout: 120_000 }, () => {
  test.each(smallBugs.map((bug) => [bug.bug, bug] as const))(
    'finds an operator that %s, with a story of at most 12 steps',
    async (_, { operator, options, check, story }) => {
      const failure = await failureOf(operator, options);
      expect({ check: failure.check, message: failure.message }).toMatchObject({
        check,
        message: expect.stringMatching(story),
      });
      expect(failure.schedule.steps.length).toBeLessThanOrEqual(12);
      expect(failure.message).toMatch(/operator-bugs\.ts:\d+/);
      expect(failure.message).toContain(failure.details[0]);
      expect(failure.timeline.filter(({ kind }) => kind === 'step').length).toBeLessThanOrEqual(12);
      expect(failure.timeline.map(({ text }) => text).join('\n')).toContain('creates MyApp default/object-');
    },
  );

  test.each([
    ['whose promise never settles', () => new Promise<never>(() => undefined)],
    ['whose manager does nothing', () => ({ run: () => new Promise<void>(() => undefined) })],
  ])('rejects an operator %s', async (_, idle) => {
    await expect(simulate(idle, { ...smallOptions, seeds: 1 })).rejects.toThrow(
      'the operator has sent no request: its function must return a Manager',
    );
  });

  test('finds an operator whose reconciles always fail, and names their error', async () => {
    const failure = await failureOf(bugs.alwaysFails);
    expect(failure).toMatchObject({ check: 'silence', seed: 0 });
    expect(failure.message).toContain('a reconcile fails in each of its retries');
    expect(failure.message).toContain('labels is undefined');
  });

  test('finds an operator that changes a cached object, with the line of the change', async () => {
    const failure = await failureOf(bugs.changesCache);
    expect(failure).toMatchObject({ check: 'silence', seed: 0 });
    expect(failure.message).toMatch(
      /Cannot add property status, object is not extensible at \S+operator-bugs\.ts:\d+/,
    );
  });

  test('finds an operator that remembers earlier runs in its module', async () => {
    const failure = await failureOf(bugs.remembersRuns);
    expect(failure).toMatchObject({ check: 'determinism', seed: 0 });
    expect(failure.message).toContain('It keeps state outside of its function');
  });

  test('without samples, users create objects of the kinds that the operator reads', async () => {
    const histories: string[] = [];
    await simulate(bugs.correct, {
      crds: ['crds/foo.yaml', 'crds/myapp.yaml'],
      controllers: smallOptions.controllers,
      without: smallOptions.without,
      seeds: 3,
      onSeed: ({ history }) => histories.push(history),
    });
    expect(histories.join('')).toContain('creates MyApp');
    expect(histories.join('')).not.toContain('creates Foo');
  });

  test('reports the search for the smallest schedule of the failing seed', async () => {
    const progress: ReductionProgress[] = [];
    const onReduce = (each: ReductionProgress): unknown => progress.push(each);
    const failure = await simulate(bugs.wakesItself, { ...smallOptions, onReduce }).catch(
      (error: unknown) => error,
    );
    expect(progress.length).toBeGreaterThan(1);
    expect(progress.map(({ done }) => done)).toEqual(progress.map((_, index) => index));
    for (const { done: _, ...each } of progress)
      expect(failure).toMatchObject({ seed: each.seed, check: each.check });
    expect(new Set(progress.map(({ total }) => total))).toEqual(new Set([300]));
  });

  test('finds nothing in the operator without bugs', async () => {
    const report = await simulate(bugs.correct, { ...smallOptions, seeds: 40 });
    expect(report).toMatchObject({ seeds: 40, uses: [] });
  });

  test('names the lines that use timers and random numbers of the process', async () => {
    const { uses } = await simulate(bugs.usesGlobals, { ...smallOptions, seeds: 2 });
    const lines = uses.map((use) => use.replace(/ at .*\/(.*):\d+$/, ' at $1'));
    expect(lines.sort()).toEqual(['Math.random() at operator-bugs.ts', 'setTimeout() at operator-bugs.ts']);
  });
});
