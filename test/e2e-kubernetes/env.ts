import { Clientset } from '@kgen/kubernetes';
import type { paths } from '@kgen/kubernetes/paths';
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll } from 'vitest';
import { unique } from '../support/cluster-tests.ts';

/** Controllers collect garbage, delete namespaces and set status; every API of the server is enabled. */
export const controlPlaneOptions: ControlPlaneOptions = {
  controllerManager: true,
  apiServerFlags: ['--runtime-config=api/all=true'],
};

/** Environment of the tests; usable once the server runs. */
export interface Env {
  /** Configuration of an administrator. */
  readonly config: ClusterConfig;
  readonly clientset: Clientset;
  /** REST client of that server, by paths. */
  readonly rest: RESTClient<paths>;
  /** Creates a namespace for one test and returns its name. */
  namespace(): Promise<string>;
}

interface Running {
  readonly controlPlane: ControlPlane;
  readonly clientset: Clientset;
  readonly rest: RESTClient<paths>;
}

async function open(): Promise<Running> {
  const controlPlane = await startControlPlane(controlPlaneOptions);
  const rest = new RESTClient<paths>(controlPlane.config);
  return { controlPlane, clientset: new Clientset(controlPlane.config), rest };
}

/** Starts a control plane before the tests of the current block, and stops it afterwards. */
export function useControlPlane(): Env {
  let started: Running | undefined;
  // The first start builds the servers.
  const startTimeout = 1_200_000;
  beforeAll(async () => {
    started = await open();
  }, startTimeout);
  afterAll(async () => {
    await started?.clientset.close();
    await started?.rest.close();
    await started?.controlPlane.stop();
  });
  const running = (): Running => {
    if (started === undefined) throw new Error('the server does not run yet: use this inside a test');
    return started;
  };
  return {
    get config() {
      return running().controlPlane.config;
    },
    get clientset() {
      return running().clientset;
    },
    get rest() {
      return running().rest;
    },
    namespace: async () => {
      const created = await running()
        .clientset.coreV1.namespaces()
        .create({ metadata: { name: unique('e2e') } });
      return created.metadata.name;
    },
  };
}
