/** Addresses of this machine for API servers of clusters that run on it. */

import type { ClusterConfig } from '@kgen/runtime';

/** Facts of this machine on which its address depends. */
export interface LocalMachine {
  /** `process.platform`. With Docker Desktop (`darwin`, `win32`), containers find the machine by a name. */
  readonly platform: string;
  /**
   * Gateway of the Docker network `kind`, in which the nodes of kind are, as `docker network inspect kind`
   * prints it. Default: unknown.
   */
  readonly kindGateway?: string | undefined;
}

/** Host by which a cluster reaches this machine, or the reason why that is unknown, with what to do. */
export type LocalWebhookHost =
  | { readonly cluster: 'docker-desktop' | 'k3d' | 'kind' | 'minikube'; readonly host: string }
  | { readonly problem: string };

/**
 * Returns the host by which the API server of a cluster reaches webhooks on this machine: of clusters of
 * kind, minikube, k3d and Docker Desktop, which are detected by the names of their contexts and the addresses
 * of their servers. Pure. The certificate of the webhooks must contain the host.
 * @example
 * ```ts
 * import { localWebhookHost } from '@kgen/controller/webhooks';
 * import { loadConfig } from '@kgen/runtime';
 *
 * const found = localWebhookHost(await loadConfig(), { platform: process.platform });
 * console.log('host' in found ? `https://${found.host}:9443` : found.problem);
 * ```
 */
export function localWebhookHost(
  { context = '', server }: Pick<ClusterConfig, 'context' | 'server'>,
  { platform, kindGateway }: LocalMachine,
): LocalWebhookHost {
  const address = hostOf(server);
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\])$/.test(address);
  const isDesktop = platform === 'darwin' || platform === 'win32';
  if (/^k3d-/.test(context) && (isLoopback || address === 'host.docker.internal'))
    return { cluster: 'k3d', host: 'host.k3d.internal' };
  if (context === 'minikube' && (isLoopback || isPrivate(address)))
    return { cluster: 'minikube', host: 'host.minikube.internal' };
  if (context === 'docker-desktop' && (isLoopback || address === 'kubernetes.docker.internal'))
    return { cluster: 'docker-desktop', host: 'host.docker.internal' };
  if (!/^kind-/.test(context) || !isLoopback) return { problem: unknown(context, server) };
  const host = isDesktop ? 'host.docker.internal' : kindGateway;
  return host === undefined || host === '' ? { problem: withoutGateway } : { cluster: 'kind', host };
}

/** Returns the host of an address; empty if it is invalid. */
function hostOf(server: string): string {
  const text = /^[a-z]+:\/\//i.test(server) ? server : `https://${server}`;
  return URL.canParse(text) ? new URL(text).hostname : '';
}

/** Returns whether an address is one of a private network of IPv4, as those of virtual machines are. */
function isPrivate(address: string): boolean {
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(address);
  return isAddress && /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address);
}

const withoutGateway =
  "the nodes of kind reach this machine by the gateway of their network: pass kindGateway, which `docker network inspect kind --format '{{(index .IPAM.Config 0).Gateway}}'` prints";

function unknown(context: string, server: string): string {
  const name = context === '' ? server : `${context} (${server})`;
  return `the API server of ${name} is not known to reach this machine, as those of kind, minikube, k3d and Docker Desktop do: run the operator in the cluster, use a cluster on this machine, or pass a url that the server reaches`;
}
