/** Clients as kgen generates them, without files: descriptors that are read from the emitted output. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterConfig } from '@kgen/runtime';
import { defineResource, type Resource, type ResourceFacts } from '@kgen/runtime/client';
import { kubeconfigOf } from '@kgen/testserver';
import type { KnownResource } from 'kgen/contract';
import { ts } from 'ts-morph';
import { loadCluster } from '../../src/kgen/cluster/load.ts';
import { outputContract } from '../../src/kgen/contract/output-contract.ts';
import { defaultEmitOptions } from '../../src/kgen/emit/options.ts';
import { emit } from '../../src/kgen/emit/tree.ts';
import { buildModel } from '../../src/kgen/model/build.ts';
import { emitted } from './emitted.ts';

/** Returns the resources of clients that kgen generates from CustomResourceDefinitions. */
export async function clientsOf(
  definitions: readonly (string | object)[],
): Promise<readonly KnownResource[]> {
  return outputContract(ts, (await emitted(definitions)).files);
}

/** Returns the resources of clients that kgen generates from a server. */
export async function clientsOfServer(config: ClusterConfig): Promise<readonly KnownResource[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-clients-'));
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, kubeconfigOf(config));
  try {
    const cacheFolder = join(folder, 'cache');
    const { value } = await loadCluster({ kubeconfig, cacheFolder, needsDocuments: false });
    const { model } = buildModel(value);
    return outputContract(ts, emit(model, { ...defaultEmitOptions, version: '0.0.0' }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a resource as a descriptor of a client. */
export function descriptorOf({ resource, schema }: KnownResource): Resource {
  // seam: an emitted descriptor
  const facts = resource as ResourceFacts;
  if (schema === undefined) return defineResource<Resource>(facts);
  return defineResource<Resource>({
    ...facts,
    schema: () =>
      Promise.resolve({ definitions: { it: schema.root }, kinds: { [facts.kind]: 'it' }, imports: {} }),
  });
}
