/** Bugs of operators that a simulation finds, each with the rule that it violates. */
import {
  type Operator,
  type ReductionProgress,
  type SimulateOptions,
  SimulationError,
  samplesOf,
  simulate,
} from '@kgen/testing';
import { describe, expect, test } from 'vitest';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';
import * as bugs from '../support/operator-bugs.ts';

const options = {
  crds: ['crds/myapp.yaml'],
  samples: samplesOf(myApps),
  controllers: ['garbageCollection', 'namespaces'],
  // Most of these operators do not restore changed fields.
  without: ['tamper'],
} as const satisfies SimulateOptions;

/** Returns the failure of the first of 1,000 seeds that fails. */
async function failureOf(operator: Operator): Promise<SimulationError> {
  const without = operator === bugs.overwritesOthers ? [] : options.without;
  const result = await simulate(operator, { ...options, without, seeds: 1_000 }).catch(
    (error: unknown) => error,
  );
  if (result instanceof SimulationError) return result;
  throw new Error('the simulation has found nothing', { cause: result });
}

describe('simulate', { timeout: 120_000 }, () => {
  test.each([
    [
      'acts on a stale read',
      bugs.actsOnStaleRead,
      'history',
      /configmaps default\/object-\d-\* \(2\) should not exist/,
    ],
    ['creates twice after a crash', bugs.createsTwiceAfterCrash, 'convergence', /\(2\) should not exist/],
    [
      'forgets an owner reference',
      bugs.forgetsOwnerReference,
      'deletion',
      /configmaps default\/object-\d still exists/,
    ],
    ['adds a finalizer that it never removes', bugs.keepsFinalizer, 'deletion', /\["my.domain\/cleanup"\]/],
    ['wakes itself with its status', bugs.wakesItself, 'requests', /patch myapps\/status default\/object-\d/],
    [
      'retries a creation whose response was lost',
      bugs.retriesLostCreate,
      'convergence',
      /\(2\) should not exist/,
    ],
    [
      'misses a deletion while it is down',
      bugs.missesDeletionWhileDown,
      'deletion',
      /object-\d still exists/,
    ],
    [
      'ignores a lost leadership',
      bugs.ignoresLeadership,
      'leadership',
      /replica-\d writes while replica-\d leads/,
    ],
    [
      "overwrites another manager's field",
      bugs.overwritesOthers,
      'ownership',
      /object-\d has lost the annotation/,
    ],
    ['depends on the order of a list', bugs.dependsOnOrder, 'restart', /data\.leader is "object-\d"/],
    ['does not handle a rejection', bugs.ignoresRejection, 'rejection', /without a handler/],
    ['does not wait for its write', bugs.doesNotWait, 'floating', /patch configmaps at \S+: await it/],
    ['fetches', bugs.fetches, 'network', /fetch\(\)/],
    ['uses the network', bugs.opensSocket, 'network', /a socket/],
  ])('finds an operator that %s, with a story of at most 12 steps', async (_, operator, check, message) => {
    const failure = await failureOf(operator);
    expect({ check: failure.check, message: failure.message }).toMatchObject({
      check,
      message: expect.stringMatching(message),
    });
    expect(failure.schedule.steps.length).toBeLessThanOrEqual(12);
    expect(failure.message).toMatch(/operator-bugs\.ts:\d+/);
    expect(failure.message).toContain(failure.details[0]);
    expect(failure.timeline.filter(({ kind }) => kind === 'step').length).toBeLessThanOrEqual(12);
    expect(failure.timeline.map(({ text }) => text).join('\n')).toContain('creates MyApp default/object-');
  });

  test.each([
    ['whose promise never settles', () => new Promise<never>(() => undefined)],
    ['whose manager does nothing', () => ({ run: () => new Promise<void>(() => undefined) })],
  ])('rejects an operator %s', async (_, idle) => {
    await expect(simulate(idle, { ...options, seeds: 1 })).rejects.toThrow(
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
      controllers: options.controllers,
      without: options.without,
      seeds: 3,
      onSeed: ({ history }) => histories.push(history),
    });
    expect(histories.join('')).toContain('creates MyApp');
    expect(histories.join('')).not.toContain('creates Foo');
  });

  test('reports the search for the smallest schedule of the failing seed', async () => {
    const progress: ReductionProgress[] = [];
    const onReduce = (each: ReductionProgress): unknown => progress.push(each);
    const failure = await simulate(bugs.wakesItself, { ...options, onReduce }).catch(
      (error: unknown) => error,
    );
    expect(progress.length).toBeGreaterThan(1);
    expect(progress.map(({ done }) => done)).toEqual(progress.map((_, index) => index));
    for (const { done: _, ...each } of progress)
      expect(failure).toMatchObject({ seed: each.seed, check: each.check });
    expect(new Set(progress.map(({ total }) => total))).toEqual(new Set([300]));
  });

  test('finds nothing in the operator without bugs', async () => {
    const report = await simulate(bugs.correct, { ...options, seeds: 40 });
    expect(report).toMatchObject({ seeds: 40, uses: [] });
  });

  test('names the lines that use timers and random numbers of the process', async () => {
    const { uses } = await simulate(bugs.usesGlobals, { ...options, seeds: 2 });
    const lines = uses.map((use) => use.replace(/ at .*\/(.*):\d+$/, ' at $1'));
    expect(lines.sort()).toEqual(['Math.random() at operator-bugs.ts', 'setTimeout() at operator-bugs.ts']);
  });
});
