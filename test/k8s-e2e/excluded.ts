/**
 * Specs that cannot run on a server in memory: they need kernels, networks, disks or processes of real nodes,
 * or programs of a cluster that are not part of its API.
 */

/** One reason, with the names that it concerns. */
export interface Exclusion {
  readonly reason: string;
  readonly names: readonly RegExp[];
}

export const exclusions: readonly Exclusion[] = [
  { reason: 'needs nodes with Windows', names: [/\[Feature:Windows|\[sig-windows\]/] },
  {
    reason: 'needs features that are off by default',
    names: [/\[Feature:OffByDefault\]|\[Alpha\]|Feature:StorageVersionAPI/],
  },
  {
    reason: 'needs the metrics of programs that use processors and memory',
    names: [/^\[sig-autoscaling\]|\bHPA\b|ResourceUsageTracking/],
  },
  {
    reason: 'needs drivers of volumes on nodes',
    names: [
      /\[Driver:|In-tree Volumes|CSI Volumes|CSI Mock|Flexvolume|\bNFS\b|NFSPersistent/,
      /GenericPersistentVolume|DynamicProvisioner|Volume metrics|MutableCSINodeAllocatableCount/,
      /Invalid AWS KMS key|Multi-AZ/,
    ],
  },
  {
    reason: 'needs file systems of nodes',
    names: [
      /PersistentVolumes-local|HostPath|Ephemeralstorage|subpath/i,
      /memory backed volumes of specified size|huge ?pages|loopback local block volume/i,
      /multiple volumes should be reschedulable|failure policy to ignore failure matching on exit code/,
      /should not deadlock when a pod's predecessor fails|should provide basic identity/,
      // The second attempt finds a file of the first one.
      /tasks sometimes fail and are not locally restarted|ignore failure matching on DisruptionTarget/,
    ],
  },
  { reason: 'needs databases that run in Pods', names: [/Deploy clustered applications/] },
  { reason: 'needs drivers of devices on nodes', names: [/\bDRA\b|DynamicResourceAllocation|\bGPU/] },
  {
    reason: 'needs a webhook that runs in a Pod',
    names: [/AdmissionWebhook|CustomResourceConversionWebhook|CustomResourceFieldSelectors/],
  },
  {
    reason: 'needs an API server that runs in a Pod',
    names: [/sample-apiserver|Aggregated APIServer|\bAggregator\b|wardle/],
  },
  {
    reason: 'needs to disturb machines',
    names: [/Etcd failure|\[Disruptive\]|Reboot|Upgrade|host cleanup/],
  },
  {
    reason: 'needs a network between Pods',
    names: [
      /Netpol|Networking|LoadBalancer|Conntrack|\bDNS\b|IPv6DualStack|Traffic Distribution|kube-?proxy/i,
      /Connectivity|Proxy version v1 should proxy logs|Firewall|NoSNAT|\bSCTP\b|HostPort|Topology Hints|\[sig-node\] PreStop/,
      /non-local redirect http liveness probe/,
    ],
  },
  {
    reason: 'needs addresses of services that Pods reach',
    names: [
      /Services should .*(?:session affinity|hairpin|unready (?:endpoints|pods)|up and down|ExternalIP|rejected)/,
      /Services should .*(?:restartable init|terminating endpoints|internalTrafficPolicy=Local Pod|a functioning)/,
      /Services should .*(?:headless|service-proxy-name|source pod IP|serve (?:a basic|multiport|endpoints on))/,
      /Services should .*(?:named targetPorts|recreated|externalTrafficPolicy=Local for|change the type)/,
      /Services should .*(?:adding or deleting ports|same port number but|HealthCheckNodePort correctly)/,
      /EndpointSlice should support a Service with multiple|multiple subsets and same IP|Service CIDRs should/,
    ],
  },
  {
    reason: 'needs the kernel of a node',
    names: [
      /SELinux|seccomp|cgroup|User ?Namespaces|user namespace|HostUsers|Mount propagation/,
      /AppArmor|SupplementalGroups|Pods? InPlace Resize|PLR Pod|Pod Level Resources/,
    ],
  },
  {
    reason: 'needs a container runtime with its handlers and registries',
    names: [
      /RuntimeClass.*(handler|RuntimeHandler|scheduling without taints)|private registry|ImageCredentialProvider/,
    ],
  },
  {
    reason: 'needs the processes of nodes and of the control plane',
    names: [
      // Versions of lists expire only if other programs write meanwhile.
      /continue listing from the last key if the original version has been compacted/,
      /MetricsGrabber.*(kubelet|scheduler|controller ?manager|snapshot)/i,
      /kubelet kubectl get|node-?problem|crictl|Logging|Stackdriver|NodeLease|NodeAuth|main port 10250/i,
      // A kubelet serves its metrics and its Pods through the proxy of its node. SSH reaches machines.
      /terminated_containers_total|\[sig-node\] SSH|Clean up pods on node/,
      // The test needs another threshold of the controller than the default.
      /Pod garbage collector/,
      // kubectl itself runs in a Pod.
      /should handle in-cluster config/,
      /Pods Extended.*(Delete Grace Period|evicted pods should be terminal)|from kubelet|KubeletFineGrained/,
    ],
  },
  {
    reason: 'needs the descriptions of Kubernetes in OpenAPI documents',
    names: [/CustomResourcePublishOpenAPI .*works for CRD with validation schema/],
  },
];

/** Returns why a spec cannot run, or undefined if it can. */
export function exclusionOf(name: string): string | undefined {
  return exclusions.find(({ names }) => names.some((pattern) => pattern.test(name)))?.reason;
}
