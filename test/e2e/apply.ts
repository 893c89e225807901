import { isBadRequest, isConflict, isNotFound, statusCauses } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import type { RedisClusterClient } from '../../generated/crds/cache.example.com/v1/index.ts';
import { apiErrorOf, causesOf, messagesOf } from '../support/errors.ts';
import type { Env } from './env.ts';

const metadata = { name: 'cart' };

async function shop(env: Env): Promise<RedisClusterClient> {
  return env.clientset.cacheV1.redisClusters(await env.namespace());
}

/** Registers tests of server-side apply: ownership of fields, and conflicts between two managers. */
export function applyTests(env: Env): void {
  describe('apply', () => {
    it('creates an object, and then updates it', async () => {
      const clusters = await shop(env);
      const created = await clusters.apply({ metadata, spec: { version: '7.2' } }, { fieldManager: 'one' });
      expect(created).toMatchObject({
        apiVersion: 'cache.example.com/v1',
        kind: 'RedisCluster',
        metadata: { generation: 1 },
        spec: { version: '7.2', replicas: 3 },
      });
      const entries = created.metadata.managedFields?.map(({ manager, operation }) => [manager, operation]);
      expect(entries).toEqual([['one', 'Apply']]);
      const changed = await clusters.apply({ metadata, spec: { version: '7.4' } }, { fieldManager: 'one' });
      expect(changed.metadata.uid).toBe(created.metadata.uid);
      expect(changed.spec.version).toBe('7.4');
    });

    it('keeps fields and list items of two managers apart', async () => {
      const clusters = await shop(env);
      await clusters.apply(
        { metadata, spec: { version: '7.2', users: [{ name: 'app', commands: ['get'] }] } },
        { fieldManager: 'one' },
      );
      const { spec } = await clusters.apply(
        { metadata, spec: { version: '7.2', replicas: 5, users: [{ name: 'jobs' }] } },
        { fieldManager: 'two' },
      );
      expect(spec).toMatchObject({ version: '7.2', replicas: 5 });
      expect(spec.users).toEqual([{ name: 'app', commands: ['get'] }, { name: 'jobs' }]);
    });

    effectTests(env);
    conflictTests(env);
    takeBackTests(env);

    statusTests(env);

    it('rejects an object that was read', async () => {
      const clusters = await shop(env);
      const read = await clusters.create({ metadata, spec: { version: '7.2' } });
      // @ts-expect-error stored objects have managedFields, apply configurations have none
      await apiErrorOf(isBadRequest, clusters.apply(read, { fieldManager: 'one' }));
    });
  });
}

function conflictTests(env: Env): void {
  it('rejects a conflict with the manager and the field', async () => {
    const clusters = await shop(env);
    await clusters.apply({ metadata, spec: { version: '7.2', replicas: 3 } }, { fieldManager: 'one' });
    const contrary = { metadata, spec: { version: '7.4', replicas: 5 } };
    const error = await apiErrorOf(isConflict, clusters.apply(contrary, { fieldManager: 'two' }));
    expect(causesOf(error)).toEqual([
      '.spec.replicas: FieldManagerConflict',
      '.spec.version: FieldManagerConflict',
    ]);
    for (const message of messagesOf(error, 'FieldManagerConflict')) expect(message).toContain('"one"');
    expect((await clusters.get('cart')).spec).toMatchObject({ version: '7.2', replicas: 3 });
  });

  it('conflicts with updates too', async () => {
    const clusters = await shop(env);
    await clusters.create({ metadata, spec: { version: '7.2' } }, { fieldManager: 'editor' });
    const contrary = { metadata, spec: { version: '7.4' } };
    const error = await apiErrorOf(isConflict, clusters.apply(contrary, { fieldManager: 'two' }));
    const [cause, ...others] = statusCauses(error, 'FieldManagerConflict');
    expect(others).toEqual([]);
    expect(cause?.field).toBe('.spec.version');
    expect(cause?.message).toContain('"editor"');
  });

  it('takes fields over with force, and leaves the others to their manager', async () => {
    const clusters = await shop(env);
    await clusters.apply({ metadata, spec: { version: '7.2', replicas: 5 } }, { fieldManager: 'one' });
    const forced = { metadata, spec: { version: '7.4' } };
    const { spec } = await clusters.apply(forced, { fieldManager: 'two', force: true });
    expect(spec).toMatchObject({ version: '7.4', replicas: 5 });
    const again = { metadata, spec: { version: '7.2', replicas: 5 } };
    const error = await apiErrorOf(isConflict, clusters.apply(again, { fieldManager: 'one' }));
    expect(causesOf(error)).toEqual(['.spec.version: FieldManagerConflict']);
    expect(messagesOf(error, 'FieldManagerConflict').join()).toContain('"two"');
  });
}

function takeBackTests(env: Env): void {
  it('removes fields that their manager no longer applies, unless another manager owns them', async () => {
    const clusters = await shop(env);
    const users = [{ name: 'app' }, { name: 'jobs' }];
    await clusters.apply(
      { metadata, spec: { version: '7.2', minReady: 1, parameters: { save: '60', port: '1' }, users } },
      { fieldManager: 'one' },
    );
    await clusters.apply(
      { metadata, spec: { version: '7.2', users: [{ name: 'jobs' }] } },
      { fieldManager: 'two' },
    );
    const { spec } = await clusters.apply(
      { metadata, spec: { parameters: { port: '1' } } },
      { fieldManager: 'one' },
    );
    expect(spec).toEqual({
      version: '7.2',
      replicas: 3,
      evictionPolicy: 'noeviction',
      parameters: { port: '1' },
      users: [{ name: 'jobs' }],
    });
  });

  it('releases a field for others', async () => {
    const clusters = await shop(env);
    const full = { metadata, spec: { version: '7.2', replicas: 5 } };
    await clusters.apply(full, { fieldManager: 'one' });
    await clusters.apply(full, { fieldManager: 'two' });
    const shared = await clusters.apply({ metadata, spec: { version: '7.2' } }, { fieldManager: 'one' });
    expect(shared.spec.replicas).toBe(5);
    const alone = { metadata, spec: { version: '7.2', replicas: 7 } };
    expect((await clusters.apply(alone, { fieldManager: 'two' })).spec.replicas).toBe(7);
  });
}

function statusTests(env: Env): void {
  it('of the status has separate managers', async () => {
    const clusters = await shop(env);
    await clusters.create({ metadata, spec: { version: '7.2' } });
    const intent = { metadata, status: { phase: 'Running' as const, readyReplicas: 3 } };
    const { spec, status } = await clusters.applyStatus(intent, { fieldManager: 'one' });
    expect(spec.version).toBe('7.2');
    expect(status).toEqual({ phase: 'Running', readyReplicas: 3 });
    const other = { metadata, status: { phase: 'Failed' as const } };
    const error = await apiErrorOf(isConflict, clusters.applyStatus(other, { fieldManager: 'two' }));
    expect(causesOf(error)).toEqual(['.status.phase: FieldManagerConflict']);
    const missing = { metadata: { name: 'nobody' }, status: { phase: 'Failed' as const } };
    await apiErrorOf(isNotFound, clusters.applyStatus(missing, { fieldManager: 'one' }));
  });
}

function effectTests(env: Env): void {
  it('changes nothing if it is repeated', async () => {
    const clusters = await shop(env);
    const intent = { metadata, spec: { version: '7.2', users: [{ name: 'app' }] } };
    const first = await clusters.apply(intent, { fieldManager: 'one' });
    expect(await clusters.apply(intent, { fieldManager: 'one' })).toEqual(first);
  });

  it('stores nothing in a dry run', async () => {
    const clusters = await shop(env);
    const before = await clusters.apply({ metadata, spec: { version: '7.2' } }, { fieldManager: 'one' });
    const intent = { metadata, spec: { version: '7.4' } };
    const applied = await clusters.apply(intent, { fieldManager: 'one', dryRun: 'All' });
    expect(applied.spec.version).toBe('7.4');
    expect(await clusters.get('cart')).toEqual(before);
  });
}
