/** Storage migrations, in memory and on a real server. */

import {
  migrateStorage,
  StorageMigrationError,
  type StorageMigrationOptions,
  type StorageMigrationProgress,
} from '@kgen/controller/webhooks';
import { type ClusterConfig, isNotFound, RESTClient } from '@kgen/runtime';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { served } from '../support/sample-definitions.ts';
import { definitionsPath, GadgetDefinition } from './gadgets.ts';

/** Parts of a server that only one kind of server has. */
export interface MigrationServer {
  readonly config: ClusterConfig;
  /** Number of objects of the largest migration. */
  readonly objects: number;
  /** Removes the history of the server, so that tokens of pages expire. */
  readonly compact?: () => void;
}

/** Registers the tests. */
export function migrationSuite(server: () => MigrationServer): void {
  let rest: RESTClient;
  let client: DynamicClient;
  let gadgets = 0;
  beforeAll(() => {
    rest = new RESTClient(server().config);
    client = new DynamicClient(rest);
  });
  afterAll(() => rest?.close());

  /** Installs a definition with two versions, and creates objects in the old one. */
  async function installed(count: number): Promise<GadgetDefinition> {
    gadgets += 1;
    const definition = new GadgetDefinition(rest, `gadgets${gadgets}`);
    await rest.post(definitionsPath, { body: definition.body('v1alpha1', ['v1alpha1', 'v1']) });
    await served(rest, definition.name);
    const resource = client.resource({ ...definition.resource, version: 'v1alpha1' }).namespace('default');
    const names = Array.from({ length: count }, (_, index) => `g-${`${index}`.padStart(5, '0')}`);
    for (let at = 0; at < names.length; at += 20)
      await Promise.all(
        names.slice(at, at + 20).map((name) => resource.create(definition.object('v1alpha1', name, 0))),
      );
    return definition;
  }

  const quick = { settleMs: 1_000, writesPerSecond: 2_000, pageSize: 50 } as const;
  function migrate(definition: GadgetDefinition, options: StorageMigrationOptions = {}) {
    return migrateStorage(rest, definition.resource, { ...quick, ...options });
  }

  /** Removes the old version: an object that is still stored in it could not be read any more. */
  async function withoutOld(
    definition: GadgetDefinition,
  ): Promise<readonly { name: string; size: number }[]> {
    await definition.change((spec) => {
      spec.versions = definition.body('v1', ['v1']).spec.versions;
    });
    await served(rest, definition.name);
    const found: { name: string; size: number }[] = [];
    for await (const { metadata, ['spec']: spec } of client
      .resource({ ...definition.resource, version: 'v1' })
      .iterate())
      found.push({ name: metadata.name, size: Number(Object(spec).size) });
    return found;
  }

  it('writes every object again while others are changed, created and deleted', async () => {
    const count = server().objects;
    const definition = await installed(count);
    await definition.store('v1');
    const resource = client.resource({ ...definition.resource, version: 'v1' }).namespace('default');
    const sizes = new Map<string, number>();
    let isDone = false;
    const write = async (writer: number): Promise<void> => {
      for (let round = 1; !isDone; round += 1) {
        const name = `g-${`${(round * 7 + writer * 13) % count}`.padStart(5, '0')}`;
        const patch = { metadata: { labels: { writer: `${writer}` } }, spec: { [`size${writer}`]: round } };
        await resource.patch(name, patch, { type: 'merge' });
        sizes.set(`${name}/size${writer}`, round);
        await resource.create(definition.object('v1', `new-${writer}-${round}`, 1));
        if (round > 1) await resource.delete(`new-${writer}-${round - 1}`);
      }
    };
    const writers = [0, 1].map(write);
    const steps: StorageMigrationProgress[] = [];
    const result = await migrate(definition, { onProgress: (step) => steps.push(step) });
    isDone = true;
    await Promise.all(writers);

    expect(result).toMatchObject({ storageVersion: 'v1', removed: ['v1alpha1'], restarts: 0 });
    expect(result.written).toBeGreaterThanOrEqual(count);
    expect(steps.map(({ step }) => step)).toContain('page');
    const { status } = await definition.read();
    expect(status).toMatchObject({ storedVersions: ['v1'] });
    expect(JSON.stringify(status)).not.toContain('StorageMigration');
    expect((await withoutOld(definition)).filter(({ name }) => name.startsWith('g-'))).toHaveLength(count);
    const lost = [];
    for (const [key, round] of sizes) {
      const [name = '', field = ''] = key.split('/');
      const { ['spec']: spec } = await resource.get(name);
      if (Object(spec)[field] !== round) lost.push(key);
    }
    expect(lost).toEqual([]);
    await expect(migrate(definition)).resolves.toMatchObject({ removed: [], written: 0 });
  }, 900_000);

  it('continues an interrupted migration with the next page', async () => {
    const definition = await installed(130);
    await definition.store('v1');
    const interruption = new AbortController();
    const interrupted = migrate(definition, {
      signal: interruption.signal,
      writesPerSecond: 200,
      onProgress: ({ step, written }) => {
        // The token of the first page is saved after its report, and before that of the second one.
        if (step === 'page' && written >= 100) interruption.abort(new Error('interrupted'));
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect((await definition.read()).status).toMatchObject({ storedVersions: ['v1alpha1', 'v1'] });
    server().compact?.();
    const steps: StorageMigrationProgress[] = [];
    const { written } = await migrate(definition, { onProgress: (step) => steps.push(step) });
    expect(steps[0]?.step).toBe('resumed');
    expect(written).toBe(80);
    expect(await withoutOld(definition)).toHaveLength(130);
  });

  it('begins again after a change of the definition', async () => {
    const definition = await installed(60);
    await definition.store('v1');
    const changed: Promise<unknown>[] = [];
    const { restarts, storageVersion } = await migrate(definition, {
      onProgress: ({ step, version }) => {
        if (step === 'page' && version === 'v1' && changed.length === 0)
          changed.push(definition.store('v1alpha1'));
      },
      // The change is complete before the last page.
      writesPerSecond: 100,
    });
    await Promise.all(changed);
    expect({ restarts: restarts > 0, storageVersion }).toEqual({
      restarts: true,
      storageVersion: 'v1alpha1',
    });
    expect((await definition.read()).status).toMatchObject({ storedVersions: ['v1alpha1'] });
  });

  it('keeps the old version if an object is refused, and names it', async () => {
    const definition = await installed(3);
    await definition.store('v1');
    const resource = client.resource({ ...definition.resource, version: 'v1' }).namespace('default');
    const removePolicy = await definition.refuse('g-00001');
    await vi.waitFor(async () => {
      const patch = { spec: { size: 0 } };
      await expect(resource.patch('g-00001', patch, { type: 'merge' })).rejects.toThrow('is refused');
    }, deadline);
    const failed = migrate(definition);
    await expect(failed).rejects.toThrow(StorageMigrationError);
    await expect(failed).rejects.toThrow(/1 objects cannot be written.*default\/g-00001: .*is refused/);
    expect((await definition.read()).status).toMatchObject({ storedVersions: ['v1alpha1', 'v1'] });
    await removePolicy();
    await vi.waitFor(() => resource.patch('g-00001', { spec: { size: 0 } }, { type: 'merge' }), deadline);
    await expect(migrate(definition)).resolves.toMatchObject({ written: 3 });
  });

  it('counts the objects in a dry run, and changes nothing', async () => {
    const definition = await installed(70);
    await definition.store('v1');
    const before = await definition.read();
    await expect(migrate(definition, { dryRun: true })).resolves.toMatchObject({
      removed: ['v1alpha1'],
      written: 70,
    });
    expect(await definition.read()).toEqual(before);
  });

  it('rejects for a resource without a definition', async () => {
    const missing = migrateStorage(rest, { group: 'migration.example.com', plural: 'none' }, quick);
    await expect(missing).rejects.toSatisfy(isNotFound);
  });
}
