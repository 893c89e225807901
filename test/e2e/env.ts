import { randomBytes } from 'node:crypto';
import type { ClusterConfig } from '@kgen/runtime';
import { afterAll, beforeAll } from 'vitest';
import { Clientset } from '../../generated/crds/index.ts';
import { createNamespace, installDefinitions } from './install.ts';

/** A server that runs, and how to reach it as somebody who may do everything. */
export interface RunningServer {
  readonly config: ClusterConfig;
  /** The same, as the text of a kubeconfig. */
  readonly kubeconfig: string;
  /** Forgets the changes so far: nobody can watch from version 1 any more. */
  forget(): Promise<void>;
  stop(): Promise<void>;
}

/** A kind of server: the suite is run once against each. */
export interface ServerUnderTest {
  readonly name: string;
  /** Starts a server without any custom resources that collects garbage. */
  start(): Promise<RunningServer>;
}

/** What tests work with; usable once the server runs. */
export interface Env {
  readonly config: ClusterConfig;
  readonly kubeconfig: string;
  readonly clientset: Clientset;
  /** Makes a namespace that nobody else uses and gives its name. */
  namespace(): Promise<string>;
  /** Makes the server forget the changes so far: nobody can watch from version 1 any more. */
  forget(): Promise<void>;
}

/** Registers what is to be done when a test is over: the `onTestFinished` that vitest hands to each test. */
export type Finished = (end: () => void | Promise<void>) => void;

/** For everything that happens on its own: far longer than it takes. */
export const deadline = { timeout: 150_000, interval: 20 } as const;

/** A name that nobody else uses. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`;
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
  if (value === undefined) throw new Error('the server does not run yet: ask for this inside a test');
  return value;
}
