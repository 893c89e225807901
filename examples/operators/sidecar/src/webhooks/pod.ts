/** Webhooks of Pods: they add a container, which sends the files of logs to a collector. */
import { defaults, validates } from '@kgen/controller/webhooks';
import { type Pod, pods } from '@kgen/kubernetes/core/v1';
import { invalidValue } from '@kgen/runtime/objects';

const container = 'log-shipper';
const volume = 'logs';
const collector = 'sidecar.example.com/collector';

/** Adds the container to new Pods with the label, in namespaces with the same label. */
const injection = defaults(pods, {
  operations: ['CREATE'],
  namespaceSelector: { matchLabels: { 'sidecar.example.com/inject': 'enabled' } },
  objectSelector: { matchLabels: { 'sidecar.example.com/inject': 'enabled' } },
  // Containers that another webhook adds after this one get the volume, too.
  reinvocationPolicy: 'IfNeeded',
  timeoutSeconds: 5,
  handle: (pod) => ({ spec: withShipper(pod) }),
});

/** Refuses a collector to which nothing can be sent, at once rather than in the log of each Pod. */
const collectors = validates(pods, {
  operations: ['CREATE', 'UPDATE'],
  namespaceSelector: { matchLabels: { 'sidecar.example.com/inject': 'enabled' } },
  objectSelector: { matchLabels: { 'sidecar.example.com/inject': 'enabled' } },
  timeoutSeconds: 5,
  handle: ({ metadata }, { warn }) => {
    const url = metadata?.annotations?.[collector];
    if (url === undefined) return void warn(`without the annotation ${collector}, logs stay in the Pod`);
    if (URL.canParse(url)) return [];
    return [invalidValue(`metadata.annotations[${collector}]`, url, 'must be a URL')];
  },
});

/** Declarations, from which kgen writes the configurations. */
export const podWebhooks = [injection, collectors];

/** The result is the same if the Pod has the container already: webhooks may be called again. */
function withShipper({ metadata, spec }: Pod): Pod['spec'] {
  if (spec === undefined) return undefined;
  const mount = { name: volume, mountPath: '/var/log/app' };
  const url = metadata?.annotations?.[collector] ?? 'null';
  const shipper = {
    name: container,
    image: 'fluent/fluent-bit:4.0',
    args: ['-i', 'tail', '-p', 'path=/var/log/app/*.log', '-o', url],
    restartPolicy: 'Always', // A side-car starts before the containers, and ends after them.
    volumeMounts: [{ ...mount, readOnly: true }],
  };
  const others = (spec.initContainers ?? []).filter((each) => each.name !== container);
  const volumes = (spec.volumes ?? []).filter((each) => each.name !== volume);
  const containers = spec.containers.map((each) => {
    const mounts = (each.volumeMounts ?? []).filter((own) => own.name !== volume);
    return { ...each, volumeMounts: [...mounts, mount] };
  });
  return {
    ...spec,
    containers,
    initContainers: [...others, shipper],
    volumes: [...volumes, { name: volume, emptyDir: {} }],
  };
}
