/** Failures that a simulation reports, on a real API server: the same faults lead to the same objects. */
import { Clientset as Kubernetes } from '@kgen/kubernetes';
import { RESTClient, TransportError } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import type { APIRequest, Transport } from '@kgen/runtime/rest';
import { type ControlPlane, controlPlaneAvailability, type Operator, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Clientset } from '../../generated/crds/clientset.ts';
import { systemEnvironment } from '../../src/runtime/common/clock.ts';
import { deadline, unique } from '../support/cluster-tests.ts';
import {
  createsTwiceAfterCrash,
  forgetsOwnerReference,
  retriesLostCreate,
} from '../support/operator-bugs.ts';
import { installDefinitions } from '../support/sample-definitions.ts';

const { available } = controlPlaneAvailability({ controllerManager: true });
const isRequired = process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

describe.skipIf(!available && !isRequired)(
  'a simulated failure on a real server',
  { timeout: 120_000 },
  () => {
    let plane: ControlPlane;
    let kubernetes: Kubernetes;
    let crds: Clientset;
    // The first start builds the servers.
    beforeAll(async () => {
      plane = await startControlPlane({ controllerManager: true });
      kubernetes = new Kubernetes(plane.config);
      crds = new Clientset(kubernetes.rest);
      await installDefinitions(kubernetes.rest);
    }, 1_200_000);
    afterAll(async () => {
      await kubernetes?.close();
      await plane?.stop();
    });

    /** Creates `object-1` in a namespace of its own. */
    async function createApp() {
      const { metadata } = await kubernetes.coreV1.namespaces().create({ metadata: { name: unique('bug') } });
      const namespace = metadata.name;
      const apps = crds.myV1.myApps(namespace);
      const app = await apps.create({
        metadata: { name: 'object-1' },
        spec: { appName: 'web', version: '1.0' },
      });
      const maps = kubernetes.coreV1.configMaps(namespace);
      const names = async () =>
        (await maps.list({ fieldSelector: 'metadata.name!=kube-root-ca.crt' })).items.map(
          ({ metadata }) => metadata.name,
        );
      return { namespace, app, apps, maps, names };
    }

    /** Starts a process of an operator. It stops after the test. */
    function start(
      operator: Operator,
      fault: 'none' | 'crash after' | 'lost response',
      namespace: string,
    ): Process {
      const started = new Process(new RESTClient(plane.config), { fault, namespace });
      started.run(operator, plane);
      onTestFinished(() => started.stop());
      return started;
    }

    it('creates twice after a crash', async () => {
      const { namespace, names } = await createApp();
      const crashed = start(createsTwiceAfterCrash, 'crash after', namespace);
      await expect.poll(() => crashed.hasFailed, deadline).toBe(true);
      await crashed.stop();
      expect(await names()).toEqual([expect.stringMatching(/^object-1-/)]);
      start(createsTwiceAfterCrash, 'none', namespace);
      await expect
        .poll(names, deadline)
        .toEqual([expect.stringMatching(/^object-1-/), expect.stringMatching(/^object-1-/)]);
    });

    it('creates twice after a lost response', async () => {
      const { namespace, names } = await createApp();
      start(retriesLostCreate, 'lost response', namespace);
      await expect
        .poll(names, deadline)
        .toEqual([expect.stringMatching(/^object-1-/), expect.stringMatching(/^object-1-/)]);
    });

    it('leaves an object without an owner behind', async () => {
      const { namespace, app, apps, maps, names } = await createApp();
      start(forgetsOwnerReference, 'none', namespace);
      await expect.poll(names, deadline).toEqual(['object-1']);
      // The garbage collector deletes it with its owner, and would delete the other one, too.
      await maps.create(setControllerReference({ metadata: { name: 'owned', namespace } }, app));
      await apps.delete('object-1');
      await expect.poll(names, deadline).toEqual(['object-1']);
      expect((await apps.list()).items).toEqual([]);
    });
  },
);

/** When a process fails. */
interface Failure {
  readonly fault: 'none' | 'crash after' | 'lost response';
  /** The fault happens at the first ConfigMap that is created here. */
  readonly namespace: string;
}

/** One process of an operator. */
class Process {
  readonly #rest: RESTClient;
  readonly #failure: Failure;
  readonly #stop = new AbortController();
  #end: Promise<void> = Promise.resolve();
  /** Whether the fault has happened. */
  hasFailed = false;

  constructor(rest: RESTClient, failure: Failure) {
    this.#rest = rest;
    this.#failure = failure;
  }

  run(operator: Operator, { config }: ControlPlane): void {
    const ignore = (): void => undefined;
    const start = async (): Promise<void> => {
      const manager = await operator(config, {
        environment: systemEnvironment,
        client: { transport: this.#send, encoding: 'json' },
        log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
        handleSignals: false,
        checkPermissions: false,
        serveWebhooks: () => ignore,
        metrics: undefined,
        health: undefined,
      });
      await manager.run({ signal: this.#stop.signal });
    };
    this.#end = start();
    // Seen by `stop`.
    this.#end.catch(ignore);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    // A process without a server ends with an error.
    await this.#end.catch((error: unknown) => {
      if (!this.hasFailed) throw error;
    });
    await this.#rest.close();
  }

  readonly #send: Transport = async (request) => {
    const { fault, namespace } = this.#failure;
    if (this.hasFailed && fault === 'crash after') throw lost(request);
    const response = await this.#rest.stream(request);
    const isFailing =
      fault !== 'none' && request.method === 'POST' && request.path.endsWith(`/${namespace}/configmaps`);
    if (this.hasFailed || !isFailing) return response;
    this.hasFailed = true;
    response.cancel();
    throw lost(request);
  };
}

function lost({ operation }: APIRequest): TransportError {
  return new TransportError('the response was lost', operation, { code: 'ECONNRESET' });
}
