/** Members of the specification of a container on which its programs depend. */
import type { ContainerFile, ProgramContainer } from '../../../src/testserver/index.ts';

interface Mount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
}

interface SecurityContext {
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly privileged?: boolean;
  readonly fsGroup?: number;
  readonly sysctls?: readonly { readonly name: string; readonly value: string }[];
  readonly seccompProfile?: { readonly type: string };
}

interface Container {
  readonly name: string;
  readonly volumeMounts?: readonly Mount[];
  readonly securityContext?: SecurityContext;
}

interface Pod {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
    readonly volumes?: readonly { readonly name: string; readonly image?: object }[];
    readonly securityContext?: SecurityContext;
    readonly hostname?: string;
    readonly subdomain?: string;
    readonly hostnameOverride?: string;
    readonly setHostnameAsFQDN?: boolean;
    readonly hostNetwork?: boolean;
    readonly hostAliases?: readonly { readonly ip: string; readonly hostnames: readonly string[] }[];
  };
  readonly status: { readonly podIP?: string; readonly hostIP?: string };
}

/** A container as its programs see it. */
export interface ContainerSpec {
  readonly security: SecurityContext;
  readonly hostname: string;
  readonly address: string;
  readonly image: string;
  mayWrite(path: string): boolean;
  /** Returns a kernel parameter that the pod sets. */
  sysctl(name: string): string | undefined;
  /** Files that a kubelet and a kernel supply. */
  systemFile(path: string): ContainerFile | undefined;
}

/** Returns the specification of a container. */
export function specOf(container: ProgramContainer): ContainerSpec {
  // seam: the server passes the pod as it stores it.
  const pod = container.object as Pod;
  const { spec } = pod;
  const all = [...spec.containers, ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
  const found = all.find(({ name }) => name === container.name);
  const security = { ...spec.securityContext, ...found?.securityContext };
  const mounts = found?.volumeMounts ?? [];
  return {
    security,
    hostname: hostnameOf(pod),
    address: pod.status.podIP ?? '',
    image: container.image,
    mayWrite: (path) => {
      const mount = mounts.find(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`));
      return mount === undefined ? security.readOnlyRootFilesystem !== true : mount.readOnly !== true;
    },
    sysctl: (name) => security.sysctls?.find((each) => each.name.replaceAll('/', '.') === name)?.value,
    systemFile: (path) => {
      const content = {
        '/etc/hosts': mounts.some(({ mountPath }) => mountPath === '/etc/hosts') ? nodeHosts : hostsOf(pod),
        '/etc/hosts-original': nodeHosts,
        '/proc/self/status': `Seccomp:\t${security.seccompProfile?.type === 'RuntimeDefault' ? 2 : 0}\n`,
        ...Object.fromEntries(imageFiles(pod, mounts)),
      }[path];
      return content === undefined ? undefined : { content, mode: 0o644 };
    },
  };
}

/** Files of the image `kitten` in volumes. */
function imageFiles({ spec }: Pod, mounts: readonly Mount[]): readonly (readonly [string, string])[] {
  const images = (spec.volumes ?? []).filter(({ image }) => image !== undefined).map(({ name }) => name);
  return mounts
    .filter(({ name }) => images.includes(name))
    .flatMap(({ mountPath }) => [
      [`${mountPath}/data.json`, '{"image": "kitten.jpg"}'],
      [`${mountPath}/etc/os-release`, 'NAME="Alpine Linux"'],
    ]);
}

/** Hosts file of a node. */
const nodeHosts = '127.0.0.1\tlocalhost\n10.0.0.1\tnode\n';

function hostnameOf({ metadata, spec }: Pod): string {
  if (spec.hostnameOverride !== undefined) return spec.hostnameOverride;
  const name = (spec.hostname ?? metadata.name).slice(0, 63);
  const isFull = spec.setHostnameAsFQDN === true && spec.subdomain !== undefined;
  return isFull ? `${name}.${spec.subdomain}.${metadata.namespace}.svc.cluster.local` : name;
}

function hostsOf({ metadata, spec, status }: Pod): string {
  const aliases = (spec.hostAliases ?? []).map(({ ip, hostnames }) => `${ip}\t${hostnames.join('\t')}\n`);
  const added = aliases.length === 0 ? '' : `\n# Entries added by HostAliases.\n${aliases.join('')}`;
  const own = `${status.podIP ?? ''}\t${metadata.name}\n`;
  const kind = spec.hostNetwork === true ? ' (host network)' : '';
  return `# Kubernetes-managed hosts file${kind}.\n127.0.0.1\tlocalhost\n${own}${added}`;
}

/** Returns the user of the processes of a container. */
export function userOf({ security, image }: ContainerSpec): {
  readonly user: number;
  readonly group: number;
} {
  const user = security.runAsUser ?? (image.includes('nonroot') ? 1234 : 0);
  return { user, group: security.runAsGroup ?? 0 };
}
