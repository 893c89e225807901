import { condition, isTimeoutError, type WatchEvent } from '@kgen/runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MyApp, MyAppClient, MyAppStatusConditions } from '../../generated/crds/my.domain/v1/index.ts';
import { watchFoos } from '../../generated/crds/samplecontroller.c9g.io/v1alpha1/index.ts';
import { deadline, unique } from '../support/cluster-tests.ts';
import { failure } from '../support/errors.ts';
import { record } from '../support/recording.ts';
import type { Env } from './env.ts';
import { connectBehindProxy } from './proxy.ts';

const app = (name: string): MyApp & { metadata: { name: string } } => ({
  metadata: { name },
  spec: { appName: name, version: '1' },
});

function ready(status: MyAppStatusConditions['status']): MyAppStatusConditions {
  return { type: 'Ready', status, lastTransitionTime: '2024-05-01T12:00:00Z', reason: 'Seen', message: '' };
}

async function open(env: Env): Promise<MyAppClient> {
  return env.clientset.myV1.myApps(await env.namespace());
}

/** Registers tests of waiting for an object, and of watches that are not methods of a client. */
export function waitingTests(env: Env): void {
  describe('waitFor', () => {
    it('resolves with an object that meets the condition already', async () => {
      const apps = await open(env);
      const created = await apps.create(app('a'));
      expect(await apps.waitFor('a', (object) => object !== undefined)).toEqual(created);
    });

    it('waits for an object that does not exist yet', async () => {
      const apps = await open(env);
      const seen: unknown[] = [];
      const waited = apps.waitFor('a', (object) => {
        seen.push(object?.spec.version);
        return object?.spec.version === '2';
      });
      await vi.waitFor(() => expect(seen).toEqual([undefined]), deadline);
      await apps.create(app('other'));
      const created = await apps.create(app('a'));
      await apps.update({ ...created, spec: { appName: 'a', version: '2' } });
      expect((await waited)?.spec.version).toBe('2');
      expect([...new Set(seen)]).toEqual([undefined, '1', '2']);
    });

    it('waits for a condition', async () => {
      const apps = await open(env);
      await apps.create(app('a'));
      const waited = apps.waitFor('a', condition('Ready'));
      await apps.patchStatus('a', { status: { conditions: [ready('False')] } });
      await apps.patchStatus('a', { status: { conditions: [ready('True')] } });
      const { status } = await waited;
      expect(status?.conditions).toEqual([ready('True')]);
      expect((await apps.waitFor('a', condition('Ready'))).metadata.name).toBe('a');
    });

    it('waits until an object is gone', async () => {
      const apps = await open(env);
      await apps.create(app('a'));
      const waited = apps.waitFor('a', (object) => object === undefined);
      await apps.delete('a');
      expect(await waited).toBeUndefined();
    });

    endingTests(env);
  });

  watchFormTests(env);
}

function endingTests(env: Env): void {
  it('resumes after the connection is cut', async () => {
    const namespace = await env.namespace();
    const { proxy, behind } = await connectBehindProxy(env.config, onTestFinished);
    const near = env.clientset.myV1.myApps(namespace);
    await near.create(app('a'));
    let looks = 0;
    const waited = behind.myV1.myApps(namespace).waitFor('a', (object) => {
      looks += 1;
      return object?.spec.version === '2';
    });
    await vi.waitFor(() => expect(looks).toBeGreaterThan(0), deadline);
    proxy.block();
    await near.patch('a', { spec: { version: '2' } });
    await proxy.turnedAway();
    proxy.restore();
    expect((await waited)?.spec.version).toBe('2');
  });

  it('times out and aborts', async () => {
    const apps = await open(env);
    const never = (object: unknown): boolean => object !== undefined;
    expect(isTimeoutError(await failure(apps.waitFor('a', never, { timeoutMs: 50 })))).toBe(true);
    const reason = new Error('no longer needed');
    const abort = new AbortController();
    const waited = apps.waitFor('a', never, { signal: abort.signal });
    abort.abort(reason);
    expect(await failure(waited)).toBe(reason);
  });
}

function watchFormTests(env: Env): void {
  describe('a watch', () => {
    it('covers all namespaces', async () => {
      const group = unique('group');
      const watch = record<WatchEvent<MyApp>>(onTestFinished, (signal) =>
        env.clientset.myV1.myApps().watch({ labelSelector: { group }, signal }),
      );
      // In the order of a list, in case the watch begins with the complete list.
      const namespaces = [await env.namespace(), await env.namespace()].sort();
      for (const namespace of namespaces) {
        const { spec } = app('a');
        await env.clientset.myV1
          .myApps(namespace)
          .create({ metadata: { name: 'a', labels: { group } }, spec });
      }
      await watch.until((events) => events.length >= 2);
      expect(watch.events.map(({ type, object }) => [type, object.metadata.namespace])).toEqual(
        namespaces.map((namespace) => ['ADDED', namespace]),
      );
      await watch.end();
    });

    it('is available as a function', async () => {
      const namespace = await env.namespace();
      const foos = env.clientset.samplecontrollerV1alpha1.foos(namespace);
      await foos.create({ metadata: { name: 'a' }, spec: { image: 'x' } });
      const watch = record(onTestFinished, (signal) => watchFoos(env.clientset.rest, { namespace, signal }));
      await watch.until((events) => events.length >= 1);
      await foos.delete('a');
      await watch.until((events) => events.length >= 2);
      expect(watch.events.map(({ type, object }) => `${type} ${object.spec?.image}`)).toEqual([
        'ADDED x',
        'DELETED x',
      ]);
      await watch.end();
    });

    nameTests(env);
  });
}

function nameTests(env: Env): void {
  it('of one object by its name has no events of others', async () => {
    const apps = await open(env);
    const watch = record(onTestFinished, (signal) =>
      apps.watch({ fieldSelector: { 'metadata.name': 'b' }, signal }),
    );
    for (const name of ['a', 'b', 'c']) await apps.create(app(name));
    await watch.until((events) => events.length >= 1);
    await apps.delete('b');
    await watch.until((events) => events.some(({ type }) => type === 'DELETED'));
    expect(watch.events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
      'ADDED b',
      'DELETED b',
    ]);
    await watch.end();
  });
}
