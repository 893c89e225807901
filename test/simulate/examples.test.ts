/** Progress, coverage and the end of simulations of the operators of `examples`. */
import { simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
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
