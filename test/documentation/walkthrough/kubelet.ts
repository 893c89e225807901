/** Kubelet of a cluster without nodes: operators run as processes, other Pods have no processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAuthority } from '@kgen/certificates/authority';
import { Clientset, type coreV1, InformerFactory } from '@kgen/kubernetes';
import { isConflict, isNotFound, type Stored } from '@kgen/runtime';
import type { ControlPlane } from '@kgen/testing';
import { kubeconfigOf } from '@kgen/testserver';

const nodeName = 'machine';
/** Interval of the state of the node, below the time after which a cluster assumes that it is lost. */
const heartbeatMs = 10_000;

/** A container that runs as a process. */
interface Running {
  readonly process: ChildProcess;
  /** Lines with their times. */
  readonly lines: string[];
}

/** Runs the Pods of a cluster until it is stopped. */
export class ProcessKubelet {
  readonly #clients: Clientset;
  readonly #informers: InformerFactory;
  readonly #running = new Map<string, Running>();
  readonly #plane: ControlPlane;
  readonly #programOf: (image: string) => string | undefined;
  #server: Server | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  /** @param programOf returns the program of an image; `undefined` for images that have none */
  constructor(plane: ControlPlane, programOf: (image: string) => string | undefined) {
    this.#plane = plane;
    this.#programOf = programOf;
    this.#clients = new Clientset(plane.config);
    this.#informers = new InformerFactory(this.#clients);
  }

  async start(): Promise<void> {
    const authority = await createAuthority();
    const pair = authority.issueServer('kubelet', { names: [], addresses: ['127.0.0.1'] });
    const server = createServer(pair, (request, response) => this.#respond(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // seam: a TCP server
    await this.#clients.coreV1.nodes().create({ metadata: { name: nodeName } });
    await this.#report(port);
    this.#heartbeat = setInterval(() => void this.#report(port).catch(() => undefined), heartbeatMs);
    const update = (pod: Stored<coreV1.Pod>) => this.#run(pod);
    this.#informers.coreV1.pods().handle({ add: update, update, delete: (pod) => this.#end(keyOf(pod)) });
    this.#informers.on('error', () => undefined);
    this.#informers.start();
    await this.#informers.waitForSync();
  }

  async stop(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#informers.stop();
    for (const key of this.#running.keys()) this.#end(key);
    this.#server?.closeAllConnections();
    this.#server?.close();
    await this.#clients.close();
  }

  async #report(Port: number): Promise<void> {
    const lastHeartbeatTime = new Date().toISOString();
    const status = {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port } },
      conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime }],
    };
    await this.#clients.coreV1.nodes().patchStatus(nodeName, { status });
  }

  async #run(pod: Stored<coreV1.Pod>): Promise<void> {
    const { name, namespace, deletionTimestamp } = pod.metadata;
    const pods = this.#clients.coreV1.pods(namespace);
    try {
      if (deletionTimestamp !== undefined) {
        this.#end(keyOf(pod));
        await pods.delete(name, { gracePeriodSeconds: 0 });
      } else if (pod.spec.nodeName === undefined) {
        const body = {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name },
          target: { kind: 'Node', name: nodeName },
        };
        await this.#clients.rest.post(`/api/v1/namespaces/${namespace}/pods/${name}/binding`, { body });
      } else if (!this.#running.has(keyOf(pod)) && pod.status.phase === 'Pending') {
        await this.#startProcess(pod);
        await pods.patchStatus(name, { status: runningStatus(pod) });
      }
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  async #startProcess(pod: Stored<coreV1.Pod>): Promise<void> {
    const program = this.#programOf(pod.spec.containers[0]?.image ?? '');
    if (program === undefined) return;
    const { name, namespace } = pod.metadata;
    // Pods have a network each; here all share one, so that their ports are free ones.
    const local = join(this.#plane.folder, `${name}.mjs`);
    writeFileSync(local, readFileSync(program, 'utf8').replaceAll(/port: ?8(443|081)/g, 'port:0'));
    const kubeconfig = join(this.#plane.folder, `${name}.kubeconfig`);
    writeFileSync(kubeconfig, await this.#kubeconfigOf(pod.spec.serviceAccountName ?? 'default', namespace));
    const child = spawn(process.execPath, [local], { env: { KUBECONFIG: kubeconfig, POD_NAME: name } });
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        const time = new Date().toISOString();
        for (const line of chunk.split('\n')) if (line !== '') lines.push(`${time} ${line}`);
      });
    this.#running.set(keyOf(pod), { process: child, lines });
  }

  async #kubeconfigOf(account: string, namespace: string): Promise<string> {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
    const response = await this.#clients.rest.post(path, { body });
    const { token } = Object(Object(response).status);
    const { server, tls } = this.#plane.config;
    return kubeconfigOf({
      server,
      namespace,
      auth: { token },
      ...(tls?.ca !== undefined && { tls: { ca: tls.ca } }),
    });
  }

  #end(key: string): void {
    this.#running.get(key)?.process.kill('SIGKILL');
    this.#running.delete(key);
  }

  /** Sends the log of a container. */
  #respond({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, 'https://kubelet');
    const [, , namespace = '', name = ''] = pathname.split('/');
    const lines = this.#running.get(`${namespace}/${name}`)?.lines ?? [];
    const isTimed = searchParams.get('timestamps') === 'true';
    response.end(lines.map((line) => `${isTimed ? line : line.replace(/^\S+ /, '')}\n`).join(''));
  }
}

function runningStatus({ spec }: Stored<coreV1.Pod>): coreV1.PodStatus {
  const startedAt = new Date().toISOString();
  const state = { running: { startedAt } };
  return {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: startedAt }],
    containerStatuses: spec.containers.map(({ name, image = '' }) => {
      return { name, image, imageID: image, ready: true, restartCount: 0, state };
    }),
  };
}

function keyOf({
  metadata,
}: {
  readonly metadata: { readonly namespace?: string; readonly name: string };
}): string {
  return `${metadata.namespace}/${metadata.name}`;
}
