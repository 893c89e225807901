/** Nodes that exist when a server starts. */
import { type JsonObject, object, text } from '@kgen/schema/values/json';
import type { ServerState } from '../call/context.ts';
import { randomUid, timestamp } from '../environment/environment.ts';

/** A node of a server. */
export interface TestNode {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly NodeTaint[];
  /**
   * Quantities by resource, such as `{ cpu: '4', 'example.com/gpu': '1' }`, in addition to those of the
   * default, which suffice for all pods.
   */
  readonly capacity?: Readonly<Record<string, string>>;
  /** Part of the capacity that pods may request. Default: all of it. */
  readonly allocatable?: Readonly<Record<string, string>>;
}

/** A taint of a node. */
export interface NodeTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** Enough for the pods of every test: only declared capacities limit them. */
const ample = { cpu: '10k', 'ephemeral-storage': '1Pi', memory: '1Pi', pods: '1M' } as const;

/** Creates nodes in a server without any. */
export function createNodes(state: ServerState, nodes: readonly (string | TestNode)[]): void {
  const { store, environment } = state;
  if (store.list('nodes').length > 0) return;
  for (const [index, each] of nodes.entries()) {
    const stamps = { uid: randomUid(environment), creationTimestamp: timestamp(environment) };
    const node = nodeOf(typeof each === 'string' ? { name: each } : each, index);
    const metadata = object(node, 'metadata');
    store.put('nodes', text(metadata, 'name'), { ...node, metadata: { ...metadata, ...stamps } });
  }
}

function nodeOf(node: TestNode, index: number): JsonObject {
  const { name, taints = [] } = node;
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    ...node.labels,
  };
  const capacity = { ...ample, ...node.capacity };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: taints.length === 0 ? {} : { taints: taints.map((taint) => ({ ...taint })) },
    status: {
      capacity,
      allocatable: { ...capacity, ...node.allocatable },
      conditions: [
        { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
      ],
      addresses: [
        { type: 'InternalIP', address: `10.0.${index >> 8}.${(index & 255) + 1}` },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: {
        architecture: 'amd64',
        bootID: '',
        containerRuntimeVersion: 'test://1.0',
        kernelVersion: '6.0.0',
        kubeProxyVersion: '',
        kubeletVersion: 'v1.36.3',
        machineID: '',
        operatingSystem: 'linux',
        osImage: 'Test',
        systemUUID: '',
      },
    },
  };
}
