/** Control plane for tests: etcd and kube-apiserver as child processes, without nodes. */
import type { ClusterConfig } from '@kgen/runtime';
import { parseKubeconfig } from '@kgen/runtime/kubeconfig';
import { kubeconfigOf } from '@kgen/testserver/internal/http/tls/kubeconfig';
import type { AccountSource } from '@kgen/testserver/internal/server/account';
import { findAssets, type ProgramFolder } from './build/assets.ts';
import { buildMissing } from './build/build.ts';
import { type DeployedOperator, deployOperator } from './deployment.ts';
import { ControlPlaneUnavailableError } from './errors.ts';
import { createMaterial } from './material.ts';
import { etcdUrl } from './servers.ts';
import { addServiceAccount } from './service-account.ts';
import { restartApiServer, type Started, type StartPlan, serverUrl, start, userConfig } from './start.ts';

export { ControlPlaneStartError, ControlPlaneUnavailableError } from './errors.ts';

/** Options of `startControlPlane`. */
export interface ControlPlaneOptions {
  /**
   * Runs kube-controller-manager too. Without it there is no garbage collection: foreground deletion waits
   * for its finalizer, and a deleted namespace stays Terminating. Default: false.
   */
  readonly controllerManager?: boolean;
  /**
   * Flags of kube-apiserver, such as `--runtime-config=api/all=true`. They follow the flags that are always
   * set.
   */
  readonly apiServerFlags?: readonly string[];
  /**
   * Kubernetes version, such as `1.36.3`. Default: that of the programs in `KUBEBUILDER_ASSETS`; if that is
   * not set, 1.36.3.
   */
  readonly version?: string;
  /** Limit for the start of all servers, in milliseconds. Default: 120,000. */
  readonly startTimeoutMs?: number;
}

/** A Kubernetes API server with its store. It ends at the latest with the process that started it. */
export interface ControlPlane {
  /** Configuration of an administrator (group `system:masters`) with a client certificate. */
  readonly config: ClusterConfig;
  /** Kubeconfig of the administrator, as YAML. */
  readonly kubeconfig: string;
  /** Configuration of the administrator `token-admin`, who has a bearer token. */
  readonly tokenConfig: ClusterConfig;
  /**
   * Path of the folder with the programs etcd and kube-apiserver, and kubectl if it was built or supplied.
   */
  readonly assets: string;
  /**
   * Path of the temporary folder with the data and the logs of the servers, `<program>.log`. `stop`
   * removes it.
   */
  readonly folder: string;
  /** Base URL of etcd, without TLS and password: for tests that compact or break the store. */
  readonly etcd: string;
  /**
   * Creates a user with a client certificate. RBAC decides on its permissions.
   *
   * @throws TypeError for an empty name or group
   */
  addUser(name: string, groups?: readonly string[]): Promise<ClusterConfig>;
  /**
   * Applies the manifests of a service account with its roles and bindings, and returns the configuration of
   * the account, in its namespace, with a token that is valid for one day. The sources are those of the
   * option `as` of `startTestServer`.
   *
   * @throws Error if the manifests cannot be read or applied, or have no or several service accounts
   */
  addServiceAccount(manifests: AccountSource): Promise<ClusterConfig>;
  /**
   * Applies all manifests of an operator, such as `config/install.yaml` of a project, and returns the
   * configuration of its service account. The operator runs in the test, in place of Pods; the API server
   * calls its webhooks there.
   *
   * @throws Error for the reasons of `addServiceAccount`, such as a kind that the API server does not have
   * @example
   * ```ts
   * import { Manager } from '@kgen/controller';
   * import { startControlPlane } from '@kgen/testing';
   *
   * const plane = await startControlPlane();
   * const { config, serveWebhooks } = await plane.deploy('config/install.yaml');
   * await new Manager(config, { serveWebhooks }).run();
   * ```
   */
  deploy(manifests: AccountSource): Promise<DeployedOperator>;
  /**
   * Stops kube-apiserver and starts it again, with the same port, certificates, flags and data. Resolves when
   * it is ready, which takes as long as a start. Meanwhile requests fail and watches end, as in an upgrade of
   * a cluster. State in the server's memory, such as the history of watches, is lost. A crashed server is
   * started again. Concurrent calls share one restart.
   *
   * @throws {ControlPlaneStartError} if the server is not ready in time, or the control plane has been
   * stopped
   */
  restart(): Promise<void>;
  /** Stops all servers and removes their files. Resolves when that is done. May be called several times. */
  stop(): Promise<void>;
}

/** Whether a control plane can be started here, with the reason if it cannot. */
export type ControlPlaneAvailability =
  | { readonly available: true }
  | { readonly available: false; readonly reason: string };

/**
 * Returns whether `startControlPlane` finds its programs, or can build them, so that tests can be skipped:
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
 * Starts etcd and kube-apiserver on free loopback ports. Resolves when the API server is ready and has its
 * `default` namespace. The programs are read from the folder in `KUBEBUILDER_ASSETS` or the cache folder. In
 * a checkout with Go, missing programs are built, which takes minutes.
 *
 * When this process ends, even by SIGKILL, the servers end and their files are removed within seconds.
 *
 * @throws {TypeError} the `version` of the options is not of the form 1.36.3
 * @throws {ControlPlaneUnavailableError} if the programs are missing and cannot be built
 * @throws {ControlPlaneStartError} if a server ends early or is not ready in time
 * @example
 * ```ts
 * import { startControlPlane } from '@kgen/testing';
 * import { Clientset } from '@kgen/kubernetes';
 *
 * const plane = await startControlPlane({ controllerManager: true });
 * const clientset = new Clientset(plane.config);
 * console.log((await clientset.coreV1.namespaces().list()).items.length);
 * await plane.stop();
 * ```
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { servers, controllerManager } = findAssets(options);
  await provide([servers, controllerManager]);
  const material = createMaterial();
  const plan: StartPlan = {
    assets: servers.folder,
    controllerManager: controllerManager?.folder,
    apiServerFlags: options.apiServerFlags ?? [],
    startTimeoutMs: options.startTimeoutMs ?? 120_000,
    material,
  };
  return controlPlane(plan, await start(plan));
}

async function provide(folders: readonly (ProgramFolder | undefined)[]): Promise<void> {
  for (const folder of folders) if (folder) await buildMissing(folder);
}

async function controlPlane(plan: StartPlan, started: Started): Promise<ControlPlane> {
  const { supervisor, ports, admin } = started;
  const { assets, material } = plan;
  const tls = { ca: material.authority.cert };
  const closers: (() => void)[] = [];
  return {
    config: await discreet(admin),
    kubeconfig: kubeconfigOf(admin),
    tokenConfig: await discreet({ server: serverUrl(ports), tls, auth: { token: material.token } }),
    assets,
    folder: supervisor.folder,
    etcd: etcdUrl(ports),
    addUser: async (name, groups = []) => discreet(userConfig(material, ports, name, groups)),
    addServiceAccount: async (manifests) => discreet(await addServiceAccount(admin, manifests)),
    deploy: async (manifests) => {
      const { config, serveWebhooks, close } = await deployOperator(admin, manifests);
      closers.push(close);
      return { config: await discreet(config), serveWebhooks };
    },
    restart: oneAtATime(() => restartApiServer(plan, started)),
    stop: () => {
      for (const close of closers.splice(0)) close();
      return supervisor.close();
    },
  };
}

/** Configurations that were parsed hide their credentials from logs. */
function discreet(config: ClusterConfig): Promise<ClusterConfig> {
  return parseKubeconfig(kubeconfigOf(config));
}

/** Concurrent calls share one result. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
