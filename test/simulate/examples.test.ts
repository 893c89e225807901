/** The operators of `examples` under simulation. */
import type { KubernetesObject } from '@kgen/runtime';
import { samplesOf, simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { fooOperator } from '../../examples/operators/foo/operator.ts';
import { myAppOperator } from '../../examples/operators/myapp/operator.ts';
import { redisClusterOperator } from '../../examples/operators/rediscluster/operator.ts';
import { redisClusters } from '../../generated/crds/cache.example.com/v1/index.ts';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';
import { foos } from '../../generated/crds/samplecontroller.c9g.io/v1alpha1/index.ts';

test.each([
  ['MyApp', myAppOperator, 'crds/myapp.yaml', samplesOf(myApps)],
  ['Foo', fooOperator, 'crds/foo.yaml', samplesOf(foos)],
  ['RedisCluster', redisClusterOperator, 'crds/rediscluster.yaml', samplesOf(redisClusters)],
])(
  'the operator of %s passes schedules of faults, and uses nothing that a simulation replaces',
  { timeout: 120_000 },
  async (_, operator, crd, samples) => {
    // A backup of a RedisCluster is kept after its deletion.
    const outlives = ({ kind }: KubernetesObject) => kind === 'Job';
    const report = await simulate(operator, { crds: [crd], samples, outlives, seeds: 5 });
    expect(report).toMatchObject({ seeds: 5, uses: [] });
    expect(report.requests).toBeGreaterThan(20);
  },
);

test('the report has the faults that each write of an operator has met', { timeout: 120_000 }, async () => {
  const progress: unknown[] = [];
  const { coverage } = await simulate(myAppOperator, {
    crds: ['crds/myapp.yaml'],
    samples: samplesOf(myApps),
    seeds: 10,
    without: ['isolate'],
    onSeed: ({ seed, done, total }) => progress.push([seed, done, total]),
  });
  expect(progress.at(-1)).toEqual([10, 10, 10]);
  expect(coverage.map(({ verb, resource }) => `${verb} ${resource}`)).toContain('patch deployments');
  for (const { site, count, met, unmet } of coverage) {
    expect(site).toMatch(/operators\/myapp\/operator\.ts:\d+$/);
    expect(count).toBeGreaterThan(0);
    expect(unmet).not.toContain('lost leadership');
    for (const fault of unmet) expect(met).not.toHaveProperty([fault]);
  }
  expect(new Set(coverage.flatMap(({ met }) => Object.keys(met)))).toContain('late watch');
});

test('a simulation ends when its signal aborts', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  const simulation = simulate(myAppOperator, {
    crds: ['crds/myapp.yaml'],
    samples: samplesOf(myApps),
    signal,
  });
  await expect(simulation).rejects.toThrow('enough');
});

test('a seed has the same history, byte for byte, in each of 20 runs', { timeout: 120_000 }, async () => {
  const histories: string[] = [];
  await simulate(myAppOperator, {
    crds: ['crds/myapp.yaml'],
    samples: samplesOf(myApps),
    seeds: Array.from({ length: 20 }, () => 3),
    onSeed: ({ history }) => histories.push(history),
  });
  expect(histories.length).toBe(20);
  expect(new Set(histories).size).toBe(1);
  expect(histories[0]?.split('\n').length).toBeGreaterThan(50);
});

test('a run leaves time, timers and random numbers of the process as they were', async () => {
  const before = [setTimeout, clearTimeout, setInterval, Date, Math.random, AbortSignal.timeout];
  await simulate(fooOperator, { crds: ['crds/foo.yaml'], samples: samplesOf(foos), seeds: [] });
  expect([setTimeout, clearTimeout, setInterval, Date, Math.random, AbortSignal.timeout]).toEqual(before);
});
