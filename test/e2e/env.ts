import type { ClusterConfig } from '@kgen/runtime';
import { afterAll, beforeAll } from 'vitest';
import { Clientset } from '../../generated/crds/index.ts';
import { unique } from '../support/cluster-tests.ts';
import { createNamespace, installDefinitions } from '../support/sample-definitions.ts';

/** A running server, with the configuration of an administrator. */
export interface RunningServer {
  readonly config: ClusterConfig;
  /** That configuration as a kubeconfig. */
  readonly kubeconfig: string;
  /** Compacts the history: watches from version 1 expire. */
  forget(): Promise<void>;
  stop(): Promise<void>;
}

/** A type of server; the suite runs once against each. */
export interface ServerUnderTest {
  readonly name: string;
  /** Starts a server with garbage collection and without custom resources. */
  start(): Promise<RunningServer>;
}

/** Environment of the tests; usable once the server runs. */
export interface Env {
  readonly config: ClusterConfig;
  readonly kubeconfig: string;
  readonly clientset: Clientset;
  /** Creates a namespace of its own for the test and returns its name. */
  namespace(): Promise<string>;
  /** Compacts the history of the server: watches from version 1 expire. */
  forget(): Promise<void>;
}

/** Starts the server before the tests of the current block, installs the samples, and stops it afterwards. */
export function useServer(server: ServerUnderTest): Env {
  let running: RunningServer | undefined;
  let clientset: Clientset | undefined;
  // The first start of a real server builds it.
  const startTimeout = 1_200_000;
  beforeAll(async () => {
    running = await server.start();
    clientset = new Clientset(running.config);
    await installDefinitions(clientset.rest);
  }, startTimeout);
  afterAll(async () => {
    await clientset?.close();
    await running?.stop();
  });
  return {
    get config() {
      return started(running).config;
    },
    get kubeconfig() {
      return started(running).kubeconfig;
    },
    get clientset() {
      return started(clientset);
    },
    namespace: () => createNamespace(started(clientset).rest, unique('e2e')),
    forget: () => started(running).forget(),
  };
}

function started<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the server does not run yet: use this inside a test');
  return value;
}
