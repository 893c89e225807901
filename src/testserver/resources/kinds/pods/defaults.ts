/** Defaults of pods and pod templates. */
import {
  equal,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  putAt,
  replace,
  text,
} from '@kgen/schema/values/json';
import { quantityNanos, quantityOf } from '../../builtin/quantity.ts';
import { type Fill, fill } from '../support/fill.ts';

const httpGet: Fill = { set: { path: '/', scheme: 'HTTP' } };
const handler: Fill = { in: { httpGet } };
const probe: Fill = {
  set: { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  in: { httpGet },
  when: (value) => {
    const grpc = own(value, 'grpc');
    return isObject(grpc) && (own(grpc, 'service') ?? null) === null
      ? putAt(value, ['grpc', 'service'], '')
      : value;
  },
};

const container: Fill = {
  set: { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
  in: {
    livenessProbe: probe,
    readinessProbe: probe,
    startupProbe: probe,
    lifecycle: { in: { postStart: handler, preStop: handler } },
    securityContext: {
      when: (value) => (own(value, 'procMount') === '' ? replace(value, 'procMount', 'Default') : value),
    },
  },
  each: {
    ports: { set: { protocol: 'TCP' } },
    env: {
      in: {
        valueFrom: {
          in: {
            fieldRef: { set: { apiVersion: 'v1' } },
            fileKeyRef: { set: { optional: false } },
          },
        },
      },
    },
  },
  when: (value) => roundedResources(withPullPolicy(value)),
};

/** The latest image is pulled for each container, other images once. */
function withPullPolicy(value: JsonObject): JsonObject {
  if (text(value, 'imagePullPolicy') !== '') return value;
  return replace(value, 'imagePullPolicy', isLatest(text(value, 'image')) ? 'Always' : 'IfNotPresent');
}

/** An image that cannot be parsed has no tag. */
function isLatest(image: string): boolean {
  const [, repository = '', tag] = /^(.*?)(?::([^:/]+))?$/s.exec(image) ?? [];
  return imageName.test(repository) && (tag === undefined || tag === 'latest');
}

const imageName = /^(?:[\w.-]+(?::\d+)?\/)?(?:[a-z0-9][a-z0-9._-]*\/)*[a-z0-9][a-z0-9._-]*$/;

/** Quantities of resources are multiples of a thousandth. */
function roundedResources(value: JsonObject): JsonObject {
  const resources = own(value, 'resources');
  if (!isObject(resources)) return value;
  return replace(value, 'resources', roundedMembers(resources));
}

function roundedMembers(resources: JsonObject): JsonObject {
  return ['limits', 'requests'].reduce((result, key) => {
    const list = own(result, key);
    return isObject(list) ? replace(result, key, rounded(list)) : result;
  }, resources);
}

/** Rounds quantities up to thousandths. */
export function rounded(list: JsonObject): JsonObject {
  return Object.entries(list).reduce((result, [name, item]) => {
    const nanos = quantityNanos(String(item)) ?? 0n;
    const rest = nanos % 1_000_000n;
    if (rest === 0n) return result;
    return replace(result, name, quantityOf(nanos - rest + (nanos > 0n ? 1_000_000n : 0n), String(item)));
  }, list);
}

const volumeSources: Readonly<Record<string, Fill>> = {
  secret: { set: { defaultMode: 420 } },
  configMap: { set: { defaultMode: 420 } },
  downwardAPI: {
    set: { defaultMode: 420 },
    each: { items: { in: { fieldRef: { set: { apiVersion: 'v1' } } } } },
  },
  projected: {
    set: { defaultMode: 420 },
    each: {
      sources: {
        in: {
          serviceAccountToken: { set: { expirationSeconds: 3600 } },
          downwardAPI: { each: { items: { in: { fieldRef: { set: { apiVersion: 'v1' } } } } } },
        },
      },
    },
  },
  hostPath: {
    set: { type: '' },
    when: (value) => (own(value, 'type') === undefined ? { ...value, type: '' } : value),
  },
  iscsi: { set: { iscsiInterface: 'default' } },
  rbd: { set: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } },
  azureDisk: { set: { cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared', readOnly: false } },
  scaleIO: { set: { storageMode: 'ThinProvisioned', fsType: 'xfs' } },
  ephemeral: { in: { volumeClaimTemplate: { in: { spec: { set: { volumeMode: 'Filesystem' } } } } } },
};

const volume: Fill = {
  in: volumeSources,
  when: (value) =>
    Object.keys(value).some((key) => key !== 'name') ? withImagePolicy(value) : { ...value, emptyDir: {} },
};

function withImagePolicy(value: JsonObject): JsonObject {
  const image = own(value, 'image');
  if (!isObject(image) || text(image, 'pullPolicy') !== '') return value;
  const policy = isLatest(text(image, 'reference')) ? 'Always' : 'IfNotPresent';
  return putAt(value, ['image', 'pullPolicy'], policy);
}

/** Defaults of `spec` of pods and pod templates. */
export const podSpecDefaults: Fill = {
  set: {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  },
  in: { resources: { when: roundedMembers } },
  each: {
    containers: container,
    initContainers: container,
    ephemeralContainers: container,
    volumes: volume,
    topologySpreadConstraints: {},
  },
  when: (value) => withHostPorts(withServiceAccount(withGracePeriod(value))),
};

/** A negative period counts as the shortest one. */
function withGracePeriod(value: JsonObject): JsonObject {
  const period = own(value, 'terminationGracePeriodSeconds');
  return typeof period === 'number' && period < 0
    ? replace(value, 'terminationGracePeriodSeconds', 1)
    : value;
}

/** `serviceAccount` is the old name of `serviceAccountName`. */
function withServiceAccount(value: JsonObject): JsonObject {
  const name = text(value, 'serviceAccountName') || text(value, 'serviceAccount');
  return name === '' ? value : { ...value, serviceAccountName: name, serviceAccount: name };
}

/** In the network of the host, the ports of containers are ports of the host. */
function withHostPorts(value: JsonObject): JsonObject {
  if (own(value, 'hostNetwork') !== true) return value;
  return ['containers', 'initContainers'].reduce((result, key) => {
    const items = own(result, key);
    if (!isArray(items)) return result;
    const ported = items.map((item) => (isObject(item) ? withHostPort(item) : item));
    return replace(result, key, ported);
  }, value);
}

function withHostPort(item: JsonObject): JsonObject {
  const ports = own(item, 'ports');
  if (!isArray(ports)) return item;
  const host = (port: Json): Json =>
    isObject(port) && (own(port, 'hostPort') ?? 0) === 0
      ? { ...port, hostPort: own(port, 'containerPort') ?? 0 }
      : port;
  return replace(item, 'ports', ports.map(host));
}

/** Returns a pod with its defaults. Only in pods, requests are defaulted to limits. */
export function withPodDefaults(pod: JsonObject): JsonObject {
  const filled = fill(pod, {
    in: { spec: { ...podSpecDefaults, set: { ...podSpecDefaults.set, enableServiceLinks: true } } },
  });
  const spec = object(filled, 'spec');
  const next = ['containers', 'initContainers'].reduce((result, key) => {
    const items = own(result, key);
    if (!isArray(items)) return result;
    return replace(
      result,
      key,
      items.map((item) => (isObject(item) ? withRequests(item) : item)),
    );
  }, spec);
  return equal(next, spec) ? filled : replace(filled, 'spec', next);
}

function withRequests(item: JsonObject): JsonObject {
  const limits = object(item, 'resources', 'limits');
  if (Object.keys(limits).length === 0) return item;
  return putAt(item, ['resources', 'requests'], { ...limits, ...object(item, 'resources', 'requests') });
}
