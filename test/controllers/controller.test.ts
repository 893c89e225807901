import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Controller } from '@kgen/controller';
import { dump, load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import { FakeClock } from '../support/runtime/fake-clock.ts';
import { type World, world } from './support.ts';

const app = (name: string, finalizers?: string[]): MyApp => ({
  metadata: { name, ...(finalizers && { finalizers }) },
  spec: { appName: name, version: '1' },
});

it('a program that records no events starts without a warning, although it may not write events', async () => {
  const name = 'observer';
  const subject = { kind: 'ServiceAccount', namespace: 'shop', name };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const rules = [{ apiGroups: ['my.domain'], resources: ['myapps'], verbs: ['list', 'watch'] }];
  const rbac = 'rbac.authorization.k8s.io/v1';
  const it = await world({}, [], {
    yaml: [
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'shop' } },
      { apiVersion: rbac, kind: 'ClusterRole', metadata: { name }, rules },
      { apiVersion: rbac, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects: [subject] },
    ]
      .map((object) => dump(object))
      .join('---\n'),
  });
  const runs: string[] = [];
  it.manager.add(
    new Controller({
      name,
      for: it.informers.myV1.myApps(),
      reconcile: ({ metadata }) => void runs.push(metadata.name),
    }),
  );
  void it.run();
  await it.user.myV1.myApps('shop').create(app('web'));
  await expect.poll(() => runs).toEqual(['web']);
  await it.stop();
  expect(it.log.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
  expect(() => it.server.permissions().expect({ strict: true })).not.toThrow();
});

describe('finalize', () => {
  async function finalizing(finalize: (uid: string, run: number) => unknown) {
    const it = await world();
    const calls: string[] = [];
    it.manager.add(
      new Controller({
        name: 'cleaner',
        for: it.informers.myV1.myApps(),
        client: it.clientset,
        reconcile: ({ metadata }) => void calls.push(`reconcile ${metadata.finalizers?.join() ?? ''}`),
        finalize: async ({ metadata }) => {
          calls.push(`finalize ${metadata.finalizers?.join() ?? ''}`);
          // Values that the type does not allow, too.
          return (await finalize(metadata.uid, calls.length)) as undefined;
        },
      }),
    );
    void it.run();
    return { ...it, calls, apps: it.user.myV1.myApps('shop') };
  }

  it('is called on deletion, after the finalizer was added before the first run', async () => {
    const it = await finalizing(() => undefined);
    await it.apps.create(app('web', ['example.com/other']));
    await expect.poll(() => it.calls.length).toBeGreaterThan(0);
    expect(new Set(it.calls)).toEqual(new Set(['reconcile example.com/other,my.domain/cleaner']));
    await it.apps.delete('web');
    await expect
      .poll(async () => (await it.apps.get('web')).metadata.finalizers)
      .toEqual(['example.com/other']);
    expect(it.calls.at(-1)).toBe('finalize example.com/other,my.domain/cleaner');
    await it.apps.patch('web', { metadata: { finalizers: null } } as never);
    await expect.poll(() => it.apps.find('web')).toBeUndefined();
    await it.stop();
    expect(it.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it.each<readonly [string, () => unknown]>([
    ['throws', () => Promise.reject(new Error('not yet'))],
    ['requests another call', () => ({ requeueAfterMs: 5 })],
    ['returns nonsense', () => 'nonsense'],
  ])('keeps the object while it %s', async (_, unfinished) => {
    let calls = 0;
    const it = await finalizing(() => {
      calls += 1;
      return calls < 3 ? unfinished() : {};
    });
    await it.apps.create(app('web'));
    await expect.poll(() => it.calls.length).toBeGreaterThan(0);
    await it.apps.delete('web');
    await expect.poll(() => it.apps.find('web')).toBeUndefined();
    expect(calls).toBe(3);
    await it.stop();
  });

  it('never removes the finalizer of a later object of the same name', async () => {
    const it = await world();
    const informer = it.informers.myV1.myApps();
    const apps = it.user.myV1.myApps('shop');
    let isReplaced = false;
    it.manager.add(
      new Controller({
        name: 'cleaner',
        for: informer,
        reconcile: () => undefined,
        finalize: async ({ metadata }) => {
          if (isReplaced) return;
          isReplaced = true;
          await apps.patch('web', { metadata: { finalizers: null } } as never);
          await apps.create(app('web', ['my.domain/cleaner']));
          const key = { namespace: 'shop', name: 'web' };
          await expect.poll(() => informer.find(key)?.metadata.uid ?? metadata.uid).not.toBe(metadata.uid);
        },
      }),
    );
    void it.run();
    await apps.create(app('web'));
    await expect.poll(async () => (await apps.get('web')).metadata.finalizers).toBeDefined();
    await apps.delete('web');
    await expect.poll(() => isReplaced).toBe(true);
    await expect
      .poll(() => it.log.some(({ message }) => message === 'the object changed meanwhile'))
      .toBe(true);
    expect((await apps.get('web')).metadata.finalizers).toEqual(['my.domain/cleaner']);
    expect(it.log.filter(({ level }) => level === 'error')).toEqual([]);
    await it.stop();
  });
});

describe('a kind that is not installed', () => {
  const definition = 'foos.samplecontroller.c9g.io';
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

  async function watching(it: World) {
    const runs: string[] = [];
    it.manager.add(
      new Controller({
        name: 'watching',
        for: it.informers.myV1.myApps(),
        watches: [
          {
            informer: it.informers.samplecontrollerV1alpha1.foos(),
            map: ({ metadata }) => [{ namespace: 'shop', name: metadata.name }],
          },
        ],
        reconcile: (_, { cause }) => void runs.push(...cause.map(({ informer }) => informer ?? '')),
      }),
    );
    return runs;
  }

  it('is inactive until it is, and reported in log, metrics and health when it vanishes', async () => {
    const it = await world({ health: { port: 0, host: '127.0.0.1' }, checkPermissions: false });
    const foos = it.user.samplecontrollerV1alpha1.foos('shop');
    const respond = () =>
      foos.list().then(
        () => 200,
        (error: unknown) => Reflect.get(Object(error), 'code'),
      );
    const crd = load(await readFile('crds/foo.yaml', 'utf8'));
    await it.user.rest.delete(`${path}/${definition}`);
    await expect.poll(respond).toBe(404);
    const runs = await watching(it);
    await it.user.myV1.myApps('shop').create(app('web'));
    void it.run();
    await expect.poll(() => runs.length).toBe(1);
    const named = (level: string) =>
      it.log.filter(
        (entry) =>
          entry.level === level &&
          Reflect.get(Object(entry.fields['err']), 'name') === 'KindNotInstalledError',
      );
    expect(named('warn')).toHaveLength(1);
    await it.user.rest.post(path, { body: crd as object });
    await expect.poll(respond).toBe(200);
    await foos.create({ metadata: { name: 'web' }, spec: { image: 'x' } });
    await expect.poll(() => runs.at(-1)).toMatch(/^foos/);
    await it.user.rest.delete(`${path}/${definition}`);
    await expect.poll(respond).toBe(404);
    // As servers do when a kind is removed.
    it.server.faults.endWatches();
    await expect.poll(() => named('error').length).toBe(1);
    const ready = await fetch(`http://127.0.0.1:${it.manager.ports.health}/readyz?verbose`);
    expect(await ready.text()).toMatch(/\[\+\]informers ok\n\[!\]informer foos\S*: NotFound\n/);
    const metric = 'kgen_controller_informer_errors_total';
    expect(await it.manager.metrics.registry.getSingleMetricAsString(metric)).toMatch(/not installed"\} \d/);
    await it.stop();
  }, 60_000);
});

describe('a run that ignores its signal', () => {
  it('cannot write after it was abandoned, and its object is reconciled again', async () => {
    const clock = new FakeClock();
    const it = await world({ environment: { clock, random: Math.random } });
    const late = new AbortController();
    let attempts = 0;
    const writes: unknown[] = [];
    const controller = new Controller({
      name: 'deaf',
      for: it.informers.myV1.myApps(),
      client: it.clientset,
      timeoutMs: 1000,
      reconcile: async (_, { client, attempt }) => {
        attempts = attempt;
        if (attempt === 1) await once(late.signal, 'abort');
        const foo = { metadata: { name: `foo-${attempt}` }, spec: { image: 'x' } };
        const write = client.samplecontrollerV1alpha1.foos('shop').create(foo);
        writes.push(await write.catch((error: unknown) => Reflect.get(Object(error), 'name')));
      },
    });
    it.manager.add(controller);
    void it.run();
    await it.user.myV1.myApps('shop').create(app('web'));
    await expect.poll(() => controller.running.length).toBe(1);
    // Not beyond the start of the second attempt, whose write needs real time.
    while (attempts < 2) await clock.advance(100);
    await expect.poll(() => writes.length).toBe(1);
    late.abort();
    await expect.poll(() => writes.length).toBe(2);
    expect(writes).toMatchObject([{ metadata: { name: 'foo-2' } }, 'AbandonedRunError']);
    const { items } = await it.user.samplecontrollerV1alpha1.foos('shop').list();
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['foo-2']);
    await it.stop();
  });

  it('and blocks the event loop is reported', async () => {
    const clock = new FakeClock();
    const it = await world({ environment: { clock, random: Math.random } });
    let isBlocked = false;
    it.manager.add(
      new Controller({
        name: 'blocking',
        for: it.informers.myV1.myApps(),
        reconcile: () => {
          isBlocked = true;
          // Computes for a minute: no timer fires meanwhile.
          clock.leap(60_000);
        },
      }),
    );
    void it.run();
    await it.user.myV1.myApps('shop').create(app('web'));
    await expect.poll(() => isBlocked).toBe(true);
    await clock.advance(1);
    expect(it.log.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
      expect.stringContaining('the event loop was blocked for'),
    ]);
    await it.stop();
  });
});
