import { Controller } from '@kgen/controller';
import { setControllerReference } from '@kgen/runtime/objects';
import { describe, expect, it } from 'vitest';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import { type World, world } from './support.ts';

const app = (name: string): MyApp => ({ metadata: { name }, spec: { appName: name, version: '1' } });

/** A controller that creates a Foo for each MyApp. */
function fooController({ clientset, informers }: World, runs: string[] = []) {
  return new Controller({
    name: 'myapp',
    for: informers.myV1.myApps(),
    owns: [informers.samplecontrollerV1alpha1.foos()],
    client: clientset,
    concurrency: 4,
    reconcile: async (object, { client, cause }) => {
      runs.push(`${object.metadata.name} ${cause.map(({ type }) => type).join(',')}`);
      const foo = { metadata: { name: object.metadata.name }, spec: { image: 'x', replicas: 1 } };
      const intent = setControllerReference(
        { ...foo, metadata: { ...foo.metadata, namespace: 'shop' } },
        object,
      );
      await client.samplecontrollerV1alpha1
        .foos('shop')
        .apply(intent, { fieldManager: 'myapp', force: true });
    },
  });
}

describe('a controller', () => {
  it('creates what is missing, repairs drift, and is silent at rest', async () => {
    const it = await world();
    const runs: string[] = [];
    it.manager.add(fooController(it, runs));
    void it.run();
    await it.user.myV1.myApps('shop').create(app('web'));
    const foos = it.user.samplecontrollerV1alpha1.foos('shop');
    await expect.poll(() => foos.find('web')).toBeDefined();
    await foos.patch('web', { spec: { replicas: 5 } });
    await expect.poll(async () => (await foos.get('web')).spec?.replicas).toBe(1);
    await foos.delete('web');
    await expect.poll(() => foos.find('web')).toBeDefined();
    const metrics = await it.manager.metrics.registry.metrics();
    const handled = metrics.match(/^informer_processing_latency_seconds_count\{.*resource="foos"\} (\d+)$/m);
    expect(Number(handled?.[1])).toBeGreaterThan(2);
    await it.stop();
    expect(it.log.filter(({ level }) => level === 'error')).toEqual([]);
    expect(runs[0]).toMatch(/^web add/);
  });
});
