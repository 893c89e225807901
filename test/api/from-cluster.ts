/** Runs kgen in this process against a real server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import { kubeconfigOf } from '@kgen/testserver';
import { loadCluster } from '../../src/kgen/cluster/load.ts';
import { defaultVersion } from '../../src/testing/controlplane/build/assets.ts';
import { type Detour, detouredTransport } from './detours.ts';
import { membersOf, textOf } from './operations.ts';
import { type Output, outputOf } from './outputs.ts';
import { jsonOf } from './server-documents.ts';

/** Generates as the user of `config`, with an empty cache, through a detour that restricts the server. */
export async function fromCluster(
  config: ClusterConfig,
  detour: Detour = (request) => request,
): Promise<Output> {
  const client = new RESTClient(config);
  const folder = mkdtempSync(join(tmpdir(), 'kgen-api-'));
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, kubeconfigOf(config));
  const transport = detouredTransport(client, detour);
  const options = { kubeconfig, cacheFolder: join(folder, 'cache'), needsDocuments: false, transport };
  try {
    return outputOf(await loadCluster(options));
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns true if the server has the version from which `@kgen/kubernetes` is generated, patch releases
 * ignored.
 */
export async function isPackagedVersion(rest: RESTClient): Promise<boolean> {
  const { gitVersion } = membersOf(await jsonOf(rest, '/version'));
  const minor = (version: string): string => version.replace(/^v?(\d+\.\d+).*$/, '$1');
  return minor(textOf(gitVersion)) === minor(defaultVersion);
}
