/**
 * One control plane for all files of the project `shared`: they work in namespaces and API groups of their own, restart
 * nothing and expect nothing of lists over all namespaces. Every other file of a real server starts its own.
 */
import { type ClusterConfig, parseKubeconfig } from '@kgen/runtime';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

/** What the files are handed of the control plane. */
interface Shared {
  readonly kubeconfig: string;
  /** Folder of the programs. */
  readonly assets: string;
  /** Folder for files that last as long as it does. */
  readonly folder: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly controlPlane: Shared | undefined;
  }
}

/** Starts it before the first file of the project and stops it after the last one; none where it cannot be started. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!controlPlaneAvailability().available && process.env['KGEN_NOTHING_SKIPPED'] === undefined) {
    project.provide('controlPlane', undefined);
    return async () => undefined;
  }
  const { kubeconfig, assets, folder, stop } = await startControlPlane();
  project.provide('controlPlane', { kubeconfig, assets, folder });
  return stop;
}

/** A control plane that other files use too: `stop` leaves it running. */
export interface SharedPlane extends Shared {
  /** An administrator. */
  readonly config: ClusterConfig;
  stop(): Promise<void>;
}

/**
 * The control plane of the project.
 *
 * @throws Error in a file of another project
 */
export async function sharedPlane(): Promise<SharedPlane> {
  const shared = inject('controlPlane');
  if (shared === undefined)
    throw new Error('only files of the project `shared` have it: see test/projects.ts');
  return { ...shared, config: await parseKubeconfig(shared.kubeconfig), stop: async () => undefined };
}
