/** Command lines of etcd, kube-apiserver and kube-controller-manager. */
import { join } from 'node:path';

/** A server to run: its program with all arguments. */
export interface ServerCommand {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** Loopback ports of the servers. */
export interface Ports {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly apiServer: number;
  readonly controllerManager: number;
}

/** Names of the files that the servers read, below the folder of the control plane. */
export const file = {
  ca: 'ca.crt',
  caKey: 'ca-key.pem',
  serverCert: 'apiserver.crt',
  serverKey: 'apiserver.key',
  serviceAccountKey: 'service-account.key',
  serviceAccountPublicKey: 'service-account.pub',
  tokens: 'tokens.csv',
  controllerManagerKubeconfig: 'controller-manager.kubeconfig',
} as const;

/** Returns the URL at which etcd serves the API server, without TLS. */
export function etcdUrl(ports: Ports): string {
  return `http://127.0.0.1:${ports.etcd}`;
}

export function etcdCommand(assets: string, folder: string, ports: Ports): ServerCommand {
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
  return {
    name: 'etcd',
    command: join(assets, 'etcd'),
    args: [
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${etcdUrl(ports)}`,
      `--advertise-client-urls=${etcdUrl(ports)}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      '--unsafe-no-fsync',
      '--log-level=warn',
    ],
  };
}

/** Flags of the caller come last: for a flag with one value the last one is used. */
export function apiServerCommand(
  assets: string,
  folder: string,
  ports: Ports,
  flags: readonly string[],
): ServerCommand {
  const path = (name: string): string => join(folder, name);
  return {
    name: 'kube-apiserver',
    command: join(assets, 'kube-apiserver'),
    args: [
      `--etcd-servers=${etcdUrl(ports)}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      // Servers since 1.37 refuse to publish a loopback address as an endpoint of the service `kubernetes`.
      '--endpoint-reconciler-type=none',
      `--secure-port=${ports.apiServer}`,
      `--cert-dir=${path('apiserver')}`,
      `--tls-cert-file=${path(file.serverCert)}`,
      `--tls-private-key-file=${path(file.serverKey)}`,
      `--client-ca-file=${path(file.ca)}`,
      `--token-auth-file=${path(file.tokens)}`,
      '--authorization-mode=RBAC',
      '--allow-privileged=true',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${path(file.serviceAccountPublicKey)}`,
      `--service-account-signing-key-file=${path(file.serviceAccountKey)}`,
      // Pods can be created without the controller that creates service accounts.
      '--disable-admission-plugins=ServiceAccount',
      ...flags,
    ],
  };
}

export function controllerManagerCommand(assets: string, folder: string, ports: Ports): ServerCommand {
  const path = (name: string): string => join(folder, name);
  return {
    name: 'kube-controller-manager',
    command: join(assets, 'kube-controller-manager'),
    args: [
      `--kubeconfig=${path(file.controllerManagerKubeconfig)}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${ports.controllerManager}`,
      `--cert-dir=${path('controller-manager')}`,
      '--leader-elect=false',
      `--root-ca-file=${path(file.ca)}`,
      `--cluster-signing-cert-file=${path(file.ca)}`,
      `--cluster-signing-key-file=${path(file.caKey)}`,
      `--service-account-private-key-file=${path(file.serviceAccountKey)}`,
    ],
  };
}
