import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Clientset as KubernetesClientset } from '@kgen/kubernetes';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionClient,
} from '@kgen/kubernetes/apiextensions.k8s.io/v1';
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import { applyManifests } from '@kgen/runtime/manifests';
import { generate } from 'kgen';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Clientset } from '../../generated/crds/index.ts';
import { deadline } from '../support/cluster-tests.ts';

/** Definitions of generated code are installed, and their clients used. */
export function definitionsSuite(config: () => ClusterConfig): void {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-definitions-'));
  let rest: RESTClient;
  beforeAll(async () => {
    rest = new RESTClient(config());
    const options = { input: ['crds/*.yaml'], out: folder, emit: 'js', definitions: true } as const;
    expect(await generate(options)).toMatchObject({ ok: true });
  });
  afterAll(async () => {
    for (const name of installed)
      await definitions()
        .delete(name)
        .catch(() => undefined);
    await rest?.close();
    rmSync(folder, { recursive: true });
  });

  const installed = ['redisclusters.cache.example.com', 'myapps.my.domain'];
  const definitions = (): CustomResourceDefinitionClient =>
    new KubernetesClientset(rest).apiextensionsV1.customResourceDefinitions();

  async function definition(group: string, name: string): Promise<CustomResourceDefinition> {
    const module = await import(/* @vite-ignore */ pathToFileURL(join(folder, group, 'definitions.js')).href);
    return module[name];
  }

  describe('a definition of generated code', () => {
    it('is created with a client, and its objects with the generated client', async () => {
      const created = await definitions().create(
        await definition('cache.example.com', 'redisClusterDefinition'),
      );
      expect(created.metadata.name).toBe(installed[0]);
      const clusters = new Clientset(rest).cacheV1.redisClusters('default');
      const body = { metadata: { name: 'sessions' }, spec: { version: '7.2' } };
      await vi.waitFor(async () => {
        expect(await clusters.create(body)).toMatchObject({ spec: { replicas: 3 } });
      }, deadline);
      await expect(
        clusters.create({ ...body, metadata: { name: 'bad' }, spec: { version: 'x' } }),
      ).rejects.toThrow('spec.version');
      await clusters.delete('sessions');
    });

    it('is applied as a manifest', async () => {
      const text = JSON.stringify(await definition('my.domain', 'myAppDefinition'));
      const results = await applyManifests(rest, text, { fieldManager: 'installer' });
      expect(results).toMatchObject([{ object: { name: installed[1] } }]);
    });
  });
}
