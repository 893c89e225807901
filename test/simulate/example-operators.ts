/** The operators of `examples` with the options of their simulations. */
import type { KubernetesObject } from '@kgen/runtime';
import { type Operator, type SimulateOptions, samplesOf } from '@kgen/testing';
import { operator as fooOperator } from '../../examples/operators/foo/src/operator.ts';
import { operator as myAppOperator } from '../../examples/operators/myapp/src/operator.ts';
import { operator as redisClusterOperator } from '../../examples/operators/rediscluster/src/operator.ts';
import { redisClusters } from '../../generated/crds/cache.example.com/v1/index.ts';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';
import { foos } from '../../generated/crds/samplecontroller.c9g.io/v1alpha1/index.ts';
import { seedsOf } from '../support/seeds.ts';

/** An operator, and the options with which it passes a simulation. */
export interface ExampleOperator {
  readonly operator: Operator;
  readonly options: SimulateOptions;
}

/** Seeds of each operator in tests: `many.mjs` runs more of them. */
export const schedules: readonly number[] = seedsOf({ all: 20, few: 1 });

export const myApp: ExampleOperator = {
  operator: myAppOperator,
  options: { crds: ['crds/myapp.yaml'], samples: samplesOf(myApps) },
};

export const foo: ExampleOperator = {
  operator: fooOperator,
  options: { crds: ['crds/foo.yaml'], samples: samplesOf(foos) },
};

export const redisCluster: ExampleOperator = {
  operator: redisClusterOperator,
  options: {
    // With its webhooks, which end with its replicas.
    crds: ['examples/operators/rediscluster/config/crd'],
    objects: ['examples/operators/rediscluster/config/webhook/validating.yaml'],
    samples: samplesOf(redisClusters),
    // A backup is kept after the deletion of its cluster.
    outlives: ({ kind }: KubernetesObject) => kind === 'Job',
  },
};
