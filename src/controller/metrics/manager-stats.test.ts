import { expect, it, onTestFinished } from 'vitest';
import { ManagerFamilies } from './manager-metrics.ts';
import { statsOf } from './manager-stats.ts';

it('has the counts of each controller by kind and verb, before and after a scrape', async () => {
  const metrics = new ManagerFamilies();
  onTestFinished(() => metrics.close());
  const { reconciliations, registry } = metrics;
  const skip = (controller: string, verb: string): void =>
    reconciliations.skippedWrite(controller, 'apps', 'deployments', verb);
  for (const verb of ['apply', 'apply', 'updateStatus']) skip('foo', verb);
  skip('bar', 'apply');
  reconciliations.looped('foo');
  await registry.metrics();
  skip('foo', 'apply');
  const controllers = ['foo', 'bar'].map((name) => ({
    name,
    countedKeys: 4,
    records: { keys: 2, bytes: 900 },
  }));
  const rememberedWrites = { objects: 1, bytes: 1550 };
  const stats = statsOf({ informers: [], controllers, rememberedWrites, reconciliations });
  const deployments = { group: 'apps', resource: 'deployments' };
  expect(stats).toEqual({
    informers: [],
    controllers: [
      {
        name: 'foo',
        skippedWrites: [
          { ...deployments, verb: 'apply', count: 3 },
          { ...deployments, verb: 'updateStatus', count: 1 },
        ],
        loops: { reported: 1, keys: 4 },
        records: { keys: 2, bytes: 900 },
      },
      {
        name: 'bar',
        skippedWrites: [{ ...deployments, verb: 'apply', count: 1 }],
        loops: { reported: 0, keys: 4 },
        records: { keys: 2, bytes: 900 },
      },
    ],
    rememberedWrites,
  });
});
