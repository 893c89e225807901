/** Nodes that exist when a server starts. */
import { type JsonObject, object } from '@kgen/schema/values/json';
import type { ServerState } from '../call/context.ts';
import { randomUid, timestamp } from '../environment/environment.ts';

const capacity = { cpu: '8', memory: '32Gi', pods: '1000' } as const;

/** Creates nodes in a server without any. */
export function createNodes(state: ServerState, names: readonly string[]): void {
  const { store, environment } = state;
  if (store.list('nodes').length > 0) return;
  for (const name of names) {
    const stamps = { uid: randomUid(environment), creationTimestamp: timestamp(environment) };
    const node = nodeOf(name);
    store.put('nodes', name, { ...node, metadata: { ...object(node, 'metadata'), ...stamps } });
  }
}

function nodeOf(name: string): JsonObject {
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: {},
    status: {
      capacity,
      allocatable: capacity,
      conditions: [
        { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
      ],
      addresses: [
        { type: 'InternalIP', address: '10.0.0.1' },
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
