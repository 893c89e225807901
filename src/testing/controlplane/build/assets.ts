/** Location of the programs of a control plane: `KUBEBUILDER_ASSETS` or the cache folder. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ControlPlaneUnavailableError } from '../errors.ts';
import { buildScript } from './checkout.ts';

/** Default Kubernetes version of a control plane. */
export const defaultVersion = '1.36.3';

/** A program of the control plane. */
export type Program = 'etcd' | 'kube-apiserver' | 'kube-controller-manager';

/** Options that decide which programs are used. */
export interface AssetsQuery {
  /**
   * Kubernetes version such as `1.36.3`. Default: the programs in `KUBEBUILDER_ASSETS`, or the default
   * version if that is not set.
   */
  readonly version?: string;
  /** Whether kube-controller-manager is needed too. */
  readonly controllerManager?: boolean;
}

/** A folder of programs, and the required programs that are missing in it. */
export interface ProgramFolder {
  readonly folder: string;
  /** Programs to build into `folder` before use. */
  readonly missing: readonly Program[];
  /** Version to build. `undefined` for a folder that was supplied and is complete. */
  readonly version: string | undefined;
}

/** Location of the programs of a control plane. */
export interface Assets {
  readonly servers: ProgramFolder;
  readonly controllerManager: ProgramFolder | undefined;
}

/**
 * Locates the programs: in `KUBEBUILDER_ASSETS` (unless a version is requested), otherwise in the cache
 * folder. Such folders often lack kube-controller-manager; it is then used from the cache folder, in the
 * version of their API server.
 *
 * @throws {ControlPlaneUnavailableError} if programs are missing and cannot be built
 */
export function findAssets(query: AssetsQuery, env: NodeJS.ProcessEnv = process.env): Assets {
  const servers = findServers(query.version, env);
  const controllerManager = query.controllerManager ? findControllerManager(servers, env) : undefined;
  for (const place of [servers, controllerManager]) {
    if (place && place.missing.length > 0) requireBuild(place, env);
  }
  return { servers, controllerManager };
}

function findServers(version: string | undefined, env: NodeJS.ProcessEnv): ProgramFolder {
  const programs = ['etcd', 'kube-apiserver'] as const;
  const supplied = env['KUBEBUILDER_ASSETS'];
  if (!supplied || version !== undefined) return cached(programs, version ?? defaultVersion, env);
  const missing = lacking(programs, supplied);
  if (missing.length === 0) return { folder: supplied, missing, version: undefined };
  throw new ControlPlaneUnavailableError(
    `KUBEBUILDER_ASSETS is set to ${supplied}, which lacks ${missing.join(' and ')}: correct or unset it`,
  );
}

function findControllerManager(servers: ProgramFolder, env: NodeJS.ProcessEnv): ProgramFolder {
  const programs = ['kube-controller-manager'] as const;
  if (lacking(programs, servers.folder).length === 0) return { ...servers, missing: [] };
  return cached(programs, servers.version ?? reportedVersion(servers.folder), env);
}

function cached(programs: readonly Program[], version: string, env: NodeJS.ProcessEnv): ProgramFolder {
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    throw new TypeError(
      `a Kubernetes version must have the form ${defaultVersion}, got ${JSON.stringify(version)}`,
    );
  }
  // As for other caches of kgen, a relative path counts as absent.
  const base = env['XDG_CACHE_HOME'] ?? '';
  const caches = isAbsolute(base) ? base : join(homedir(), '.cache');
  const folder = join(caches, 'kgen', 'envtest', version);
  return { folder, missing: lacking(programs, folder), version };
}

function reportedVersion(folder: string): string {
  const { stdout } = spawnSync(join(folder, 'kube-apiserver'), ['--version'], { encoding: 'utf8' });
  const version = /v(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1];
  if (version !== undefined) return version;
  throw new ControlPlaneUnavailableError(
    `${folder} lacks kube-controller-manager, and the version of its kube-apiserver is unknown: add the program to the folder`,
  );
}

function lacking(programs: readonly Program[], folder: string): readonly Program[] {
  return programs.filter((program) => !isExecutable(join(folder, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // A file that is not executable counts as missing.
  }
}

function requireBuild({ folder, missing, version }: ProgramFolder, env: NodeJS.ProcessEnv): void {
  if (buildScript() !== undefined && hasGo(env)) return;
  throw new ControlPlaneUnavailableError(
    `${missing.join(' and ')} for Kubernetes ${version} not found in ${folder}: set KUBEBUILDER_ASSETS to a folder that has etcd and kube-apiserver, or, in a checkout of kgen, install Go 1.26 or newer to have them built`,
  );
}

function hasGo(env: NodeJS.ProcessEnv): boolean {
  return spawnSync('go', ['version'], { env, stdio: 'ignore' }).status === 0;
}
