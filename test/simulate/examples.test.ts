/** Progress, coverage and the end of simulations of the operators of `examples`. */
import { simulate } from '@kgen/testing';
import { expect, onTestFinished, test } from 'vitest';
import { Exceptions } from '../../src/testing/operators/simulate/checks/compare/exceptions.ts';
import { clusterBase } from '../../src/testing/operators/simulate/cluster.ts';
import { historyOf } from '../../src/testing/operators/simulate/history.ts';
import { installGlobals } from '../../src/testing/operators/simulate/process/globals.ts';
import { play } from '../../src/testing/operators/simulate/run/run.ts';
import type { Step } from '../../src/testing/operators/simulate/schedule/schedule.ts';
import { foo, myApp } from './example-operators.ts';

test('the report has the faults that each write of an operator has met', { timeout: 120_000 }, async () => {
  const progress: unknown[] = [];
  const { coverage } = await simulate(myApp.operator, {
    ...myApp.options,
    seeds: 10,
    without: ['isolate'],
    onSeed: ({ seed, done, total }) => progress.push([seed, done, total]),
  });
  expect(progress.at(-1)).toEqual([10, 10, 10]);
  expect(coverage.map(({ verb, resource }) => `${verb} ${resource}`)).toContain('patch deployments');
  for (const { site, count, met, unmet } of coverage) {
    expect(site).toMatch(/operators\/myapp\/src\/controllers\/myapp\.ts:\d+$/);
    expect(count).toBeGreaterThan(0);
    expect(unmet).not.toContain('lost leadership');
    for (const fault of unmet) expect(met).not.toHaveProperty([fault]);
  }
  expect(new Set(coverage.flatMap(({ met }) => Object.keys(met)))).toContain('conflict');
});

test('an operator may cease to apply a field that another client has changed', async () => {
  const apiVersion = 'samplecontroller.c9g.io/v1alpha1';
  const target = { apiVersion, kind: 'Foo', namespace: 'default', name: 'a' };
  const object = {
    apiVersion,
    kind: 'Foo',
    metadata: { name: 'a', namespace: 'default' },
    spec: { image: 'b', replicas: 2 },
  };
  // A user removes `replicas` at the time at which another client changes those of the Deployment.
  const steps = (pick: number): readonly Step[] => [
    { do: 'create', object, waitMs: 1_000 },
    { do: 'edit', target, path: ['spec', 'replicas'], value: null, waitMs: 2_000 },
    { do: 'tamper', pick, how: 'edit', waitMs: 0 },
  ];
  const base = await clusterBase(foo.options);
  const restoreGlobals = installGlobals();
  onTestFinished(restoreGlobals);
  const setup = {
    operator: foo.operator,
    base,
    bystanders: [],
    references: [],
    invariants: [],
    sampleResources: new Set(['foos.samplecontroller.c9g.io']),
    outlives: () => false,
    exceptions: new Exceptions([]),
    random: new Set<string>(),
  };
  const histories: string[] = [];
  for (const pick of [0, 1, 2, 3]) {
    const run = await play(setup, { seed: 1, replicas: 1, steps: steps(pick) }, {}, () => undefined);
    expect(run.findings).toEqual([]);
    histories.push(historyOf(run));
  }
  const edited = histories.filter((history) => history.includes('{"spec":{"replicas":3}}'));
  expect(edited).not.toEqual([]);
  for (const history of edited)
    expect(history).toContain(
      'the other client removes spec.replicas of Deployment default/a, which the operator no longer applies',
    );
});

test('a simulation ends when its signal aborts', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  const simulation = simulate(myApp.operator, { ...myApp.options, signal });
  await expect(simulation).rejects.toThrow('enough');
});

test('a run leaves time, timers and random numbers of the process as they were', async () => {
  const before = [setTimeout, clearTimeout, setInterval, Date, Math.random, AbortSignal.timeout];
  await simulate(foo.operator, { ...foo.options, seeds: [] });
  expect([setTimeout, clearTimeout, setInterval, Date, Math.random, AbortSignal.timeout]).toEqual(before);
});
