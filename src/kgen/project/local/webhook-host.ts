/** Host by which the API server of a cluster reaches the webhooks of an operator on this machine. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ClusterConfig } from '@kgen/runtime';

/** The host, or the reason why it is unknown, with the actions that resolve it. */
export type WebhookHost =
  | { readonly host: string; readonly port?: string | undefined }
  | { readonly problem: string };

/** Reads facts of this machine. */
export interface MachineFacts {
  readonly platform: string;
  /** Returns the output of a program, which may be missing. */
  readonly run: (program: string, args: readonly string[]) => Promise<string>;
}

const thisMachine: MachineFacts = {
  platform: process.platform,
  run: async (program, args) => (await promisify(execFile)(program, [...args], { timeout: 5_000 })).stdout,
};

/**
 * Returns the host of the command line, otherwise that of a cluster on this machine.
 * @param stated `HOST` or `HOST:PORT`
 */
export async function webhookHost(
  config: Pick<ClusterConfig, 'context' | 'server'>,
  stated: string | undefined,
  { platform, run }: MachineFacts = thisMachine,
): Promise<WebhookHost> {
  if (stated !== undefined) {
    const [host = '', port] = stated.split(':');
    return { host, port };
  }
  const { localWebhookHost } = await import('@kgen/controller/webhooks');
  const gateways = config.context?.startsWith('kind-') === true ? await kindGateways(run) : '';
  // The network has a subnet of IPv6, too.
  const kindGateway = gateways.split(/\s+/).find((each) => /^[\d.]+$/.test(each));
  const found = localWebhookHost(config, { platform, kindGateway });
  return 'host' in found ? { host: found.host } : { problem: unknownText(config) };
}

async function kindGateways(run: MachineFacts['run']): Promise<string> {
  const format = '{{range .IPAM.Config}}{{.Gateway}} {{end}}';
  try {
    return await run('docker', ['network', 'inspect', 'kind', '--format', format]);
  } catch {
    return ''; // The nodes may be those of podman.
  }
}

function unknownText({ context, server }: Pick<ClusterConfig, 'context' | 'server'>): string {
  const detected = 'kind with docker, minikube, k3d and Docker Desktop are detected';
  return `no host is known by which the API server of ${context ?? server} reaches this machine (${detected}): pass --webhook-host HOST, a name or IPv4 address that the server reaches, call the webhooks in memory by kgen dev, or in the cluster by kgen deploy`;
}
