/**
 * One control plane for all files of the project `shared`: they work in namespaces and API groups of their
 * own, restart nothing and assert nothing about lists over all namespaces. Every other file with a real
 * server starts its own.
 */
import type { ClusterConfig } from '@kgen/runtime';
import { parseKubeconfig } from '@kgen/runtime/kubeconfig';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

/** Properties of the control plane that are passed to the files. */
interface Shared {
  readonly kubeconfig: string;
  /** Folder of the programs. */
  readonly assets: string;
  /** Folder for files with the lifetime of the control plane. */
  readonly folder: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly controlPlane: Shared | undefined;
  }
}

/**
 * Starts the control plane before the first file of the project and stops it after the last one, if its
 * programs are available.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!controlPlaneAvailability().available && process.env['KGEN_NOTHING_SKIPPED'] === undefined) {
    project.provide('controlPlane', undefined);
    return async () => undefined;
  }
  const { kubeconfig, assets, folder, stop } = await startControlPlane();
  project.provide('controlPlane', { kubeconfig, assets, folder });
  return stop;
}

/** A control plane that other files use too: `stop` does nothing. */
export interface SharedPlane extends Shared {
  /** Configuration of an administrator. */
  readonly config: ClusterConfig;
  stop(): Promise<void>;
}

/**
 * Returns the control plane of the project.
 *
 * @throws Error in a file of another project
 */
export async function sharedPlane(): Promise<SharedPlane> {
  const shared = inject('controlPlane');
  if (shared === undefined)
    throw new Error('only files of the project `shared` have it: see test/projects.ts');
  return { ...shared, config: await parseKubeconfig(shared.kubeconfig), stop: async () => undefined };
}
