import { type ClusterConfig, parseKubeconfig } from '@kgen/runtime';
import { findAssets, type ProgramFolder } from './assets.ts';
import { buildMissing } from './build.ts';
import { ControlPlaneUnavailableError } from './errors.ts';
import { kubeconfigOf } from './kubeconfig.ts';
import { createMaterial } from './material.ts';
import { etcdUrl } from './servers.ts';
import { restartApiServer, type Started, type StartPlan, serverUrl, start, userConfig } from './start.ts';

export { ControlPlaneStartError, ControlPlaneUnavailableError } from './errors.ts';
export { kubeconfigOf } from './kubeconfig.ts';

/** How a control plane is started. */
export interface ControlPlaneOptions {
  /**
   * Runs kube-controller-manager too. Without it nothing collects garbage: foreground deletion stays on its finalizer, and
   * a deleted namespace stays Terminating. Default: false.
   */
  readonly controllerManager?: boolean;
  /** Flags of kube-apiserver, such as `--runtime-config=api/all=true`; they come after those that are always set. */
  readonly apiServerFlags?: readonly string[];
  /** Kubernetes version, such as `1.36.3`. Default: that of the programs in `KUBEBUILDER_ASSETS`; where that is not set, 1.36.3. */
  readonly version?: string;
  /** How long the servers may take until they are ready. Default: 120. */
  readonly startTimeoutSeconds?: number;
}

/** A Kubernetes API server with its store. It ends with the process that started it, if not before. */
export interface ControlPlane {
  /** An administrator (group `system:masters`) with a client certificate. */
  readonly config: ClusterConfig;
  /** The same as the text of a kubeconfig. */
  readonly kubeconfig: string;
  /** The administrator `token-admin`, who has a bearer token instead. */
  readonly tokenConfig: ClusterConfig;
  /** Folder of etcd and kube-apiserver, and of kubectl where somebody built or supplied it. */
  readonly assets: string;
  /** Folder of the data and of the logs, `<program>.log`, while the servers run. */
  readonly folder: string;
  /** Base URL of etcd, without TLS and without a password: for tests that compact or break the store. */
  readonly etcd: string;
  /**
   * A user with a client certificate; what it may do is for RBAC to say.
   *
   * @throws TypeError for a name or group that has one of `, + " \ < > ; = #`, or none at all.
   */
  addUser(name: string, groups?: readonly string[]): Promise<ClusterConfig>;
  /**
   * Ends kube-apiserver and starts it again: same port, same certificates, same flags, same data. Resolves when it is ready, which
   * takes as long as a start. Meanwhile requests fail and watches end, as in an upgrade of a cluster; what the server had in
   * memory only, such as the history behind its watches, is gone. A server that has crashed comes back. A call while another
   * one is under way shares its outcome.
   *
   * @throws ControlPlaneStartError when the server is not ready in time, or the control plane has been stopped.
   */
  restart(): Promise<void>;
  /** Ends all servers and removes their files; resolves when that is done. May be called more than once. */
  stop(): Promise<void>;
}

/** Whether a control plane can be started here, and if not, why. */
export type ControlPlaneAvailability =
  | { readonly available: true }
  | { readonly available: false; readonly reason: string };

/**
 * Says whether `startControlPlane` finds its programs, or at least what it needs to build them, so that tests can be skipped:
 * `describe.skipIf(!controlPlaneAvailability().available)`.
 */
export function controlPlaneAvailability(options: ControlPlaneOptions = {}): ControlPlaneAvailability {
  try {
    findAssets(options);
    return { available: true };
  } catch (error) {
    if (error instanceof ControlPlaneUnavailableError) return { available: false, reason: error.message };
    throw error;
  }
}

/**
 * Starts etcd and kube-apiserver on free loopback ports and resolves when the API server is ready and has its `default`
 * namespace. The programs come from the folder in `KUBEBUILDER_ASSETS` or the cache folder; in a checkout with Go they are built
 * when they are in neither, which takes minutes.
 *
 * Whatever way this process ends, also by SIGKILL, the servers end and their files are removed within seconds.
 *
 * @throws ControlPlaneUnavailableError when the programs are missing and cannot be built.
 * @throws ControlPlaneStartError when a server ends early or is not ready in time.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { servers, controllerManager } = findAssets(options);
  await provide([servers, controllerManager]);
  const material = await createMaterial();
  const plan: StartPlan = {
    assets: servers.folder,
    controllerManager: controllerManager?.folder,
    apiServerFlags: options.apiServerFlags ?? [],
    startTimeoutSeconds: options.startTimeoutSeconds ?? 120,
    material,
  };
  return controlPlane(plan, await start(plan));
}

async function provide(folders: readonly (ProgramFolder | undefined)[]): Promise<void> {
  for (const folder of folders) if (folder) await buildMissing(folder);
}

/** Configurations that were read hide their credentials from logs. */
function discreet(config: ClusterConfig): Promise<ClusterConfig> {
  return parseKubeconfig(kubeconfigOf(config));
}

async function controlPlane(plan: StartPlan, started: Started): Promise<ControlPlane> {
  const { supervisor, ports, admin } = started;
  const { assets, material } = plan;
  const tls = { ca: material.authority.cert };
  return {
    config: await discreet(admin),
    kubeconfig: kubeconfigOf(admin),
    tokenConfig: await discreet({ server: serverUrl(ports), tls, auth: { token: material.token } }),
    assets,
    folder: supervisor.folder,
    etcd: etcdUrl(ports),
    addUser: async (name, groups = []) => discreet(await userConfig(material, ports, name, groups)),
    restart: oneAtATime(() => restartApiServer(plan, started)),
    stop: () => supervisor.close(),
  };
}

/** Calls while one is under way get its outcome. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
