/** Start of the servers of a control plane, in their order and until they are ready. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterConfig } from '@kgen/runtime';
import { kubeconfigOf } from '@kgen/testserver/internal/http/tls/kubeconfig';
import { ControlPlaneStartError } from './errors.ts';
import { logTail } from './logs.ts';
import type { Material } from './material.ts';
import { type ProbeResponse, untilOk } from './probe.ts';
import {
  apiServerCommand,
  controllerManagerCommand,
  etcdCommand,
  file,
  type Ports,
  type ServerCommand,
} from './servers.ts';
import { Supervisor } from './supervisor.ts';

/** Input of one start. The programs exist. */
export interface StartPlan {
  /** Folder of etcd and kube-apiserver. */
  readonly assets: string;
  /** Folder of kube-controller-manager, if it is to run. */
  readonly controllerManager: string | undefined;
  readonly apiServerFlags: readonly string[];
  readonly startTimeoutMs: number;
  readonly material: Material;
}

/** Servers that are running and ready. */
export interface Started {
  readonly supervisor: Supervisor;
  readonly ports: Ports;
  readonly admin: ClusterConfig;
}

const attempts = 5;

/**
 * Starts the servers and waits until they are ready. If a port was taken meanwhile, it starts over on other
 * ports.
 *
 * @throws {ControlPlaneStartError}
 */
export async function start(plan: StartPlan): Promise<Started> {
  for (let attempt = 1; ; attempt++) {
    const ports = await choosePorts();
    const supervisor = new Supervisor(join(tmpdir(), `kgen-control-plane-${randomUUID()}`));
    try {
      return await startOnce(plan, supervisor, ports);
    } catch (error) {
      const logs = await logsOf(plan, supervisor);
      await supervisor.close();
      if (!isPortTaken(logs) || attempt === attempts) throw described(error, logs);
    }
  }
}

async function choosePorts(): Promise<Ports> {
  const [etcd = 0, etcdPeer = 0, apiServer = 0, controllerManager = 0] = await freePorts(4);
  return { etcd, etcdPeer, apiServer, controllerManager };
}

async function startOnce(plan: StartPlan, supervisor: Supervisor, ports: Ports): Promise<Started> {
  const { assets, apiServerFlags, material } = plan;
  const mayGoOn = watchFor(supervisor, plan.startTimeoutMs);
  const admin = userConfig(material, ports, 'admin', ['system:masters']);
  supervisor.run(etcdCommand(assets, supervisor.folder, ports));
  supervisor.run(apiServerCommand(assets, supervisor.folder, ports, apiServerFlags), material.files);
  await untilReady(admin, mayGoOn);
  if (plan.controllerManager !== undefined) {
    await startControllerManager(plan, plan.controllerManager, supervisor, ports);
    // A controller creates this account, so the controllers are running.
    await untilOk(admin, '/api/v1/namespaces/default/serviceaccounts/default', mayGoOn);
  }
  return { supervisor, ports, admin };
}

async function untilReady(admin: ClusterConfig, mayGoOn: MayGoOn): Promise<void> {
  await untilOk(admin, '/readyz', mayGoOn);
  await untilOk(admin, '/api/v1/namespaces/default', mayGoOn);
}

function isPortTaken(logs: readonly string[]): boolean {
  return logs.some((log) => log.includes('address already in use'));
}

/**
 * Stops the API server and starts it again with the same settings. Resolves when it is ready. Retries while
 * its port is taken, because any process may bind it for a moment.
 *
 * @throws {ControlPlaneStartError}
 */
export async function restartApiServer(
  plan: StartPlan,
  { supervisor, ports, admin }: Started,
): Promise<void> {
  const command = apiServerCommand(plan.assets, supervisor.folder, ports, plan.apiServerFlags);
  for (let attempt = 1; ; attempt++) {
    try {
      await supervisor.end(command.name);
      const mayGoOn = watchFor(supervisor, plan.startTimeoutMs);
      supervisor.run(command);
      await untilReady(admin, mayGoOn);
      return;
    } catch (error) {
      const logs = await logsOf(plan, supervisor);
      if (supervisor.isClosing || !isPortTaken(logs) || attempt === attempts) throw described(error, logs);
    }
  }
}

async function startControllerManager(
  { material }: StartPlan,
  assets: string,
  supervisor: Supervisor,
  ports: Ports,
): Promise<void> {
  const config = userConfig(material, ports, 'system:kube-controller-manager', ['system:masters']);
  const command: ServerCommand = controllerManagerCommand(assets, supervisor.folder, ports);
  supervisor.run(command, { [file.controllerManagerKubeconfig]: kubeconfigOf(config) });
}

/** Returns the configuration of a user with a client certificate. */
export function userConfig(
  { authority }: Material,
  ports: Ports,
  name: string,
  groups: readonly string[],
): ClusterConfig {
  const { cert, key } = authority.issueClient(name, groups);
  return { server: serverUrl(ports), tls: { ca: authority.cert, cert, key } };
}

/** Returns the URL of the API server. */
export function serverUrl(ports: Ports): string {
  return `https://127.0.0.1:${ports.apiServer}`;
}

/** Throws if waiting any longer is pointless. */
type MayGoOn = (last: ProbeResponse | undefined) => void;

function watchFor(supervisor: Supervisor, timeoutMs: number): MayGoOn {
  const deadline = Date.now() + timeoutMs;
  return (last) => {
    if (supervisor.isClosing) throw new ControlPlaneStartError('the control plane has been stopped');
    const [exit] = supervisor.exits;
    if (exit) {
      const how = exit.error ?? (exit.signal ? `signal ${exit.signal}` : `code ${exit.code}`);
      throw new ControlPlaneStartError(`${exit.name} ended while the control plane was starting: ${how}`);
    }
    if (Date.now() < deadline) return;
    const response = last ? `${last.status ?? 'no response'} ${last.text}` : 'none';
    throw new ControlPlaneStartError(
      `the control plane was not ready within ${timeoutMs} ms; the API server's last response: ${response}`,
    );
  };
}

async function logsOf(plan: StartPlan, supervisor: Supervisor): Promise<readonly string[]> {
  const names = ['etcd', 'kube-apiserver', ...(plan.controllerManager ? ['kube-controller-manager'] : [])];
  return Promise.all(names.map((name) => logTail(supervisor.folder, name, [plan.material.token])));
}

function described(error: unknown, logs: readonly string[]): unknown {
  if (!(error instanceof ControlPlaneStartError)) return error;
  return new ControlPlaneStartError([error.message, ...logs].join('\n'), { cause: error });
}

/**
 * Returns distinct loopback ports that were free a moment ago. Another process may bind one before it is
 * used, so callers have to retry.
 */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map(portOf);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

async function listen(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
