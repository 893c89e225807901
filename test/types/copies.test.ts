import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Line, surprises } from '../support/compiled-lines.ts';
import { emitted } from '../support/emitted.ts';
import { createProject } from '../support/project.ts';

const prelude = `
import type { Intent, RESTClient, Stored } from '@kgen/runtime';
import { Clientset, InformerFactory } from './generated/index.js';
import type { RedisCluster, RedisClusterClient, RedisClusterInformer } from './generated/cache.example.com/v1/index.js';
import { redisClusters } from './generated/cache.example.com/v1/index.js';
import { Clientset as OtherClientset, InformerFactory as OtherFactory } from './other/generated/index.js';
import type { RedisCluster as OtherCluster } from './other/generated/cache.example.com/v1/index.js';
import { redisClusters as otherClusters } from './other/generated/cache.example.com/v1/index.js';
import type { Intent as OtherIntent, Stored as OtherStored } from './other/types.js';
declare const clientset: Clientset;
declare const other: OtherClientset;
declare const stored: Stored<RedisCluster>;
declare const otherStored: OtherStored<OtherCluster>;
declare const otherIntent: OtherIntent<OtherCluster>;
`.trim();

const accepted: readonly string[] = [
  'const rest: RESTClient = other.rest; new Clientset(other.rest); new OtherClientset(clientset.rest); rest;',
  'const one: Stored<RedisCluster> = otherStored; one;',
  'const one: OtherStored<OtherCluster> = stored; one;',
  'const one: Intent<RedisCluster> = otherIntent; one;',
  `const client: RedisClusterClient = other.cacheV1.redisClusters('shop'); client;`,
  'const informer: RedisClusterInformer = new OtherFactory(other).cacheV1.redisClusters(); informer;',
  'new InformerFactory(other); new OtherFactory(clientset); new InformerFactory(new OtherFactory(other));',
  'new InformerFactory(clientset).of(otherClusters); new OtherFactory(clientset).of(redisClusters);',
  'await clientset.cacheV1.redisClusters("shop").update(otherStored);',
];

test('accepts two copies of the runtime with their generated outputs', async () => {
  const project = createProject();
  try {
    const { files } = await emitted(['crds/*.yaml']);
    project.write(files, 'generated');
    project.write(files, 'other/generated');
    project.write({ 'other/types.ts': `export type * from '@kgen/runtime';\n` });
    cpSync(join(project.folder, 'node_modules/@kgen'), join(project.folder, 'other/node_modules/@kgen'), {
      recursive: true,
    });
    const lines = accepted.map(
      (code, index): Line => ({
        name: code,
        text: `export async function line${index}(): Promise<void> { ${code} }`,
        compiles: true,
      }),
    );
    expect(surprises(project, prelude, lines)).toEqual([]);
  } finally {
    project.dispose();
  }
});
