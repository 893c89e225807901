/** Controllers of informers with a selection. */
import { Controller } from '@kgen/controller';
import { expect, it } from 'vitest';
import { world } from './support.ts';

it.each([
  { onEveryChange: false, want: ['web 1', 'web 2', 'web 2'] },
  { onEveryChange: true, want: ['web 1', 'web 1', 'web 2', 'web 2', 'web 2'] },
])('are woken by changes of selected fields, unless onEveryChange: %o', async ({ onEveryChange, want }) => {
  const { informers, manager, user, run, stop } = await world();
  const runs: string[] = [];
  const apps = informers.myV1.myApps({ select: { spec: { version: true } }, onEveryChange });
  const owned = informers.cacheV1.redisClusters({
    select: { metadata: { ownerReferences: true }, spec: { version: true } },
    onEveryChange,
  });
  manager.add(
    new Controller({
      name: 'selecting',
      for: apps,
      owns: [owned],
      reconcile: ({ metadata, spec }) => void runs.push(`${metadata.name} ${spec.version}`),
    }),
  );
  void run();
  const changed = (count: number): Promise<void> =>
    expect
      .poll(() => (onEveryChange ? runs.length : apps.stats().unchanged + owned.stats().unchanged))
      .toBe(count);
  const ran = (count: number): Promise<void> => expect.poll(() => runs.length).toBe(count);
  const [app, cluster] = [user.myV1.myApps('shop'), user.cacheV1.redisClusters('shop')];
  const { metadata, apiVersion, kind } = await app.create({
    metadata: { name: 'web' },
    spec: { appName: 'web', version: '1' },
  });
  await ran(1);
  await app.patch('web', { spec: { appName: 'other' } });
  await changed(onEveryChange ? 2 : 1);
  await app.patch('web', { spec: { version: '2' } });
  await ran(onEveryChange ? 3 : 2);
  const ownerReferences = [{ apiVersion, kind, name: 'web', uid: metadata.uid, controller: true }];
  await cluster.create({ metadata: { name: 'db', ownerReferences }, spec: { version: '7.2' } } as never);
  await ran(onEveryChange ? 4 : 3);
  await cluster.patch('db', { metadata: { labels: { a: 'b' } } });
  await changed(onEveryChange ? 5 : 2);
  expect(runs).toEqual(want);
  await stop();
});
