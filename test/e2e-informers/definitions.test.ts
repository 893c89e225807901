/** Kinds whose definitions are created, deleted, recreated and changed. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { InformerFactory } from '../../generated/crds/index.ts';
import { Clientset } from '../../generated/kubernetes/index.ts';
import { deadline, onControlPlane } from '../support/audited-plane.ts';
import { randomOf } from '../support/random.ts';
import { faster } from './clock.ts';
import { Follower } from './followers.ts';
import type { RequestProxy } from './http-proxy.ts';
import { fill, load } from './load.ts';
import { ThingResource } from './thing-resource.ts';
import { seed, startRequestProxy } from './trial.ts';

const everywhere = { name: 'everywhere' };
/** Days pass in minutes: informers wait for a definition, with long backoff. */
const speedFactor = 100;

onControlPlane('informers of kinds that come and go', {}, (env) => {
  it.each([{ streaming: true }, { streaming: false }])(
    'wait, fill, empty and fill again ($streaming)',
    async ({ streaming }) => {
      const proxy = await startRequestProxy(env, onTestFinished);
      const things = new ThingResource(env);
      const { factory, clock } = start(proxy, streaming);
      const follower = new Follower(things.kind('v1'), everywhere, factory.of(things.descriptor('v1')));
      const namespaces = await env.namespaces(2);

      const began = clock.now();
      await factory.start();
      await expect.poll(() => proxy.requests.length, deadline).toBeGreaterThan(14);
      const seconds = (clock.now() - began) / 1_000;
      // The delay doubles from 0.8 s to 30 s; each attempt is two requests, because a streamed list is
      // rejected like a list.
      expect(proxy.requests.length).toBeLessThan(2 * (8 + seconds / 30));
      expect(follower.errors.map(({ context }) => context.during)).toEqual(['request']);

      await things.install();
      await factory.waitForSync({ timeoutMs: 60_000 * speedFactor });
      const first = await fill(env.direct, things.kind('v1'), namespaces, 20);
      await follower.agree(env, [first], true);

      await things.remove();
      await vi.waitFor(() => expect(follower.stored).toEqual([]), deadline);
      await vi.waitFor(() => expect(follower.history.live).toEqual([]), deadline);
      expect(follower.history.problems).toEqual([]);
      const requested = proxy.requests.length;
      await expect.poll(() => proxy.requests.length, deadline).toBeGreaterThan(requested + 8);

      await things.install();
      const second = await fill(env.direct, things.kind('v1'), namespaces, 20);
      await follower.agree(env, [first, second], true);
      expect(follower.errors.length).toBeLessThan(5);
    },
  );

  it('emit one process warning for a missing kind without listeners', async () => {
    const proxy = await startRequestProxy(env, onTestFinished);
    const { factory } = start(proxy, true);
    factory.of(new ThingResource(env).descriptor('v1'));
    const warnings: string[] = [];
    const listen = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', listen);
    onTestFinished(() => void process.off('warning', listen));
    await factory.start();
    await expect.poll(() => proxy.requests.length, deadline).toBeGreaterThan(14);
    expect(warnings.filter((warning) => warning.includes('things')).length).toBeLessThanOrEqual(1);
  });

  it.each([{ streaming: true }, { streaming: false }])(
    'lose nothing if the storage version changes ($streaming)',
    async ({ streaming }) => {
      const proxy = await startRequestProxy(env, onTestFinished);
      const things = new ThingResource(env);
      await things.install();
      const { factory } = start(proxy, streaming);
      const followers = (['v1', 'v2'] as const).map(
        (version) =>
          new Follower(things.kind(version), { name: version }, factory.of(things.descriptor(version))),
      );
      await factory.start();
      await factory.waitForSync({ timeoutMs: 60_000 * speedFactor });
      const namespaces = await env.namespaces(2);
      let writes = 0;
      let stored: Promise<void> | undefined;
      const onWrite = (): void => {
        writes += 1;
        if (writes === 60) stored = things.store('v2');
      };
      const options = { client: env.direct, kind: things.kind('v1'), namespaces, writes: 100 };
      const log = await load({ ...options, random: randomOf(seed), onWrite });
      await stored;
      const objects = env.direct.resource(things.kind('v1').resource);
      for (const object of (await objects.list()).items) {
        const { namespace = '', name } = object.metadata;
        log.note(
          await objects.namespace(namespace).update({ ...object, metadata: { ...object.metadata, name } }),
        );
      }
      for (const follower of followers) await follower.agree(env, [log], false);
    },
  );

  function start(proxy: RequestProxy, streaming: boolean) {
    const clientset = new Clientset(proxy.config);
    const random = randomOf(seed);
    const environment = faster(speedFactor, () => random.int(1_000) / 1_000);
    const factory = new InformerFactory(clientset, { streaming, environment });
    onTestFinished(async () => {
      await factory.stop();
      await clientset.close();
    });
    return { factory, clock: environment.clock };
  }
});
