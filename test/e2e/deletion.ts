import { isAlreadyExists, isConflict, isInvalid, isNotFound, type Stored } from '@kgen/runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { MyApp, MyAppClient } from '../../generated/crds/my.domain/v1/index.ts';
import { deadline } from '../support/cluster-tests.ts';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import { record } from '../support/recording.ts';
import type { Env } from './env.ts';

const spec = { appName: 'a', version: '1' };
const hold = 'example.com/hold';

async function withOne(
  env: Env,
  finalizers: string[] = [],
): Promise<{ apps: MyAppClient; created: Stored<MyApp> }> {
  const apps = env.clientset.myV1.myApps(await env.namespace());
  return { apps, created: await apps.create({ metadata: { name: 'a', finalizers }, spec }) };
}

/** Registers tests of the deletion of one object: immediate, with preconditions, and with finalizers. */
export function deletionTests(env: Env): void {
  describe('delete', () => {
    it('removes an object immediately', async () => {
      const { apps, created } = await withOne(env);
      const response = await apps.delete('a');
      expect(uidIn(response)).toBe(created.metadata.uid);
      expect(await apps.find('a')).toBeUndefined();
      await apiErrorOf(isNotFound, apps.delete('a'));
      const next = await apps.create({ metadata: { name: 'a' }, spec });
      expect(next.metadata.uid).not.toBe(created.metadata.uid);
    });

    it('rejects another uid and another resource version in preconditions', async () => {
      const { apps, created } = await withOne(env);
      const { uid, resourceVersion } = created.metadata;
      await apps.update({ ...created, spec: { ...spec, version: '2' } });
      const otherUid = '00000000-0000-0000-0000-000000000000';
      await apiErrorOf(isConflict, apps.delete('a', { preconditions: { uid: otherUid } }));
      await apiErrorOf(isConflict, apps.delete('a', { preconditions: { resourceVersion } }));
      await apiErrorOf(isConflict, apps.delete('a', { preconditions: { uid, resourceVersion } }));
      const { metadata } = await apps.get('a');
      expect(metadata.deletionTimestamp).toBeUndefined();
      await apps.delete('a', { preconditions: { uid, resourceVersion: metadata.resourceVersion } });
      expect(await apps.find('a')).toBeUndefined();
    });

    finalizerTests(env);
    waitTests(env);
  });
}

function finalizerTests(env: Env): void {
  it('waits for finalizers', async () => {
    const { apps, created } = await withOne(env, [hold]);
    const watch = record(onTestFinished, (signal) =>
      apps.watch({ resourceVersion: created.metadata.resourceVersion, signal }),
    );
    expect(await apps.delete('a')).toMatchObject({ kind: 'MyApp', metadata: { finalizers: [hold] } });
    const held = await apps.get('a');
    expect(held.metadata.uid).toBe(created.metadata.uid);
    expect(held.metadata.deletionTimestamp).toMatch(/Z$/);
    expect(held.metadata.deletionGracePeriodSeconds).toBe(0);
    await apps.delete('a');
    await apiErrorOf(isAlreadyExists, apps.create({ metadata: { name: 'a' }, spec }));
    await apps.patch('a', { metadata: { finalizers: null } });
    expect(await apps.find('a')).toBeUndefined();
    await watch.until((events) => events.some(({ type }) => type === 'DELETED'));
    expect(watch.events.map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
    await watch.end();
  });

  it('rejects new finalizers afterwards', async () => {
    const { apps } = await withOne(env, [hold]);
    await apps.delete('a');
    const more = apps.patch('a', { metadata: { finalizers: [hold, 'example.com/late'] } });
    expect(new Set(causesOf(await apiErrorOf(isInvalid, more)))).toEqual(
      new Set(['metadata.finalizers: FieldValueForbidden']),
    );
    const changed = await apps.patch('a', { spec: { version: '2' } });
    expect(changed.spec.version).toBe('2');
    await apps.update({ ...changed, metadata: { ...changed.metadata, finalizers: [] } });
    expect(await apps.find('a')).toBeUndefined();
  });
}

function waitTests(env: Env): void {
  it('with wait resolves when the object is gone', async () => {
    const { apps } = await withOne(env, [hold]);
    const done = { value: false };
    const gone = apps.deleteAndWait('a').then(() => {
      done.value = true;
    });
    await vi.waitFor(
      async () => expect((await apps.get('a')).metadata.deletionTimestamp).toBeDefined(),
      deadline,
    );
    expect(done.value).toBe(false);
    await apps.patch('a', { metadata: { finalizers: null } });
    await gone;
    expect(await apps.find('a')).toBeUndefined();
  });

  it('with wait resolves if the object does not exist', async () => {
    const { apps } = await withOne(env);
    await apps.deleteAndWait('a');
    await apps.deleteAndWait('a');
    expect(await apps.find('a')).toBeUndefined();
  });

  it('with wait treats a recreated object as gone', async () => {
    const { apps, created } = await withOne(env, [hold]);
    const gone = apps.deleteAndWait('a');
    await vi.waitFor(
      async () => expect((await apps.get('a')).metadata.deletionTimestamp).toBeDefined(),
      deadline,
    );
    await apps.patch('a', { metadata: { finalizers: null } });
    const next = await apps.create({ metadata: { name: 'a' }, spec });
    await gone;
    expect((await apps.get('a')).metadata.uid).toBe(next.metadata.uid);
    expect(next.metadata.uid).not.toBe(created.metadata.uid);
  });
}

/** Returns the uid of the deleted object: servers respond with the object or with a Status. */
function uidIn(response: Awaited<ReturnType<MyAppClient['delete']>>): string | undefined {
  return response.kind === 'MyApp' ? response.metadata.uid : response.details?.uid;
}
