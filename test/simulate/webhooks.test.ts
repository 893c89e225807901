/** Webhooks of simulated operators: replicas take turns, and end with their webhooks. */
import { Controller, Manager, type ManagerOptions } from '@kgen/controller';
import { defaults, validates, webhookConfigurations, webhooks } from '@kgen/controller/webhooks';
import { type ClusterConfig, InformerFactory } from '@kgen/runtime';
import { type SimulateOptions, samplesOf, simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';

const label = 'example.com/version';
const handlers = (failurePolicy: 'Fail' | 'Ignore') => [
  defaults(myApps, {
    failurePolicy,
    handle: ({ metadata, spec }) => ({
      metadata: { labels: { ...metadata?.labels, [label]: spec.version } },
    }),
  }),
  validates(myApps, { failurePolicy, handle: () => [] }),
];

/** Returns the operator and the options of a simulation, whose operator requires the label. */
function simulation(failurePolicy: 'Fail' | 'Ignore') {
  const declared = handlers(failurePolicy);
  const unlabelled: string[] = [];
  const operator = (config: ClusterConfig, options: ManagerOptions): Manager => {
    const manager = new Manager(config, { name: 'labels', ...options });
    const controller = new Controller({
      name: 'labels',
      for: new InformerFactory(manager).of(myApps),
      reconcile: ({ metadata, spec }) => {
        if (metadata.labels?.[label] !== spec.version) unlabelled.push(metadata.name);
      },
    });
    return manager.add(webhooks({ handlers: declared })).add(controller);
  };
  const { configurations } = webhookConfigurations(declared, { name: 'labels', namespace: 'default' });
  const options: SimulateOptions = {
    crds: ['crds/myapp.yaml'],
    objects: configurations,
    samples: samplesOf(myApps),
    controllers: [],
    seeds: 20,
  };
  return { operator, options, unlabelled };
}

test('no object is stored without its defaults if failurePolicy is Fail, whatever happens to the replicas', async () => {
  const { operator, options, unlabelled } = simulation('Fail');
  await simulate(operator, options);
  expect(unlabelled).toEqual([]);
});

test('a simulation finds objects without their defaults if failurePolicy is Ignore', async () => {
  const { operator, options } = simulation('Ignore');
  await expect(simulate(operator, options)).rejects.toThrow(/metadata\.labels is absent in place of/);
});
