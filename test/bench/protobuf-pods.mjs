// Pods as a controller reads them, 6.4 kB of JSON each, and the bytes that a server sends for them. Go
// encodes them from JSON in a temporary folder.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runClientGo } from './informer-client-go.mjs';
import { podText } from './informer-pod.mjs';

const probe = {
  httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' },
  initialDelaySeconds: 10,
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
};

/** Keys of list elements in managedFields; other lists are owned as a whole. */
const keys = {
  conditions: ['type'],
  containers: ['name'],
  env: ['name'],
  hostIPs: ['ip'],
  ownerReferences: ['uid'],
  podIPs: ['ip'],
  ports: ['containerPort', 'protocol'],
  volumeMounts: ['mountPath'],
  volumes: ['name'],
};

/** Returns the owned fields of a value at all levels, as a server records them. */
function fieldsOf(value, name) {
  if (Array.isArray(value)) return Object.hasOwn(keys, name) ? elementsOf(value, keys[name]) : {};
  if (typeof value !== 'object' || value === null) return {};
  const members = Object.entries(value).map(([member, inner]) => [`f:${member}`, fieldsOf(inner, member)]);
  return Object.fromEntries([['.', {}], ...members]);
}

function elementsOf(elements, names) {
  const keyOf = (element) => JSON.stringify(Object.fromEntries(names.map((name) => [name, element[name]])));
  return Object.fromEntries([
    ['.', {}],
    ...elements.map((element) => [`k:${keyOf(element)}`, fieldsOf(element)]),
  ]);
}

/** Returns a pod in which half of the JSON is managedFields, as if every field is owned. */
function pod(index, version) {
  const made = JSON.parse(podText(index, version));
  const { generateName, labels, ownerReferences, managedFields } = made.metadata;
  const [container] = made.spec.containers;
  Object.assign(container, { livenessProbe: probe, readinessProbe: probe });
  const { containers, dnsPolicy, restartPolicy, schedulerName, securityContext, volumes } = made.spec;
  managedFields[0].fieldsV1 = {
    'f:metadata': fieldsOf({ generateName, labels, ownerReferences }),
    'f:spec': fieldsOf({
      containers: containers.map(({ volumeMounts, ...rest }) => ({
        ...rest,
        volumeMounts: volumeMounts.slice(0, 1),
      })),
      dnsPolicy,
      restartPolicy,
      schedulerName,
      securityContext,
      // The other volume is added by an admission plugin of the server and has no owner.
      volumes: volumes.slice(0, 1),
    }),
  };
  managedFields[1].fieldsV1 = { 'f:status': fieldsOf(made.status) };
  return made;
}

/** Compares pods in the order of a server's lists. */
function byKey({ metadata: a }, { metadata: b }) {
  const [key, other] = [`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`];
  return key < other ? -1 : 1;
}

/**
 * Writes a list of `count` pods as a server sends it, and the watch frames of their changes, into a new
 * folder; returns its path.
 */
export function writePods({ folder, clientGo, count }) {
  const made = mkdtempSync(join(folder, 'pods-'));
  const items = Array.from({ length: count }, (_, index) => pod(index, 1_000_000)).sort(byKey);
  const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1000000' }, items };
  writeFileSync(join(made, 'pods.json'), JSON.stringify(list));
  const sizes = runClientGo(clientGo, 'convert', { folder: made, count });
  const each = (bytes) => `${(bytes / count / 1000).toFixed(1)} kB`;
  console.log(`${count} pods made: ${each(sizes.json)} of JSON, ${each(sizes.protobuf)} of protobuf each`);
  return made;
}
