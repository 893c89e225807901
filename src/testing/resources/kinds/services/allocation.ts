import {
  array,
  isArray,
  isObject,
  type JsonObject,
  object,
  omit,
  own,
  replace,
  strings,
  text,
} from '../../../values/json.ts';
import type { Cluster } from '../support/rules.ts';

/** The range of cluster IPs, `10.0.0.0/24`, without its first and last address and that of the API server. */
export const prefix = '10.0.0.';
const hosts = { first: 2, last: 254 };
export const nodePorts = { first: 30_000, last: 32_767 };

export function isExternal(spec: JsonObject): boolean {
  return text(spec, 'type') === 'ExternalName';
}

export function isExposed(spec: JsonObject): boolean {
  return ['NodePort', 'LoadBalancer'].includes(text(spec, 'type'));
}

/** Fills in what the server allocates: families, cluster IPs, node ports. */
export function allocate(value: JsonObject, old: JsonObject | undefined, cluster: Cluster): JsonObject {
  const spec = object(value, 'spec');
  if (isExternal(spec) && !isExternal(object(old, 'spec')) && old === undefined) return value;
  const before = object(old, 'spec');
  if (isExternal(spec))
    return replace(
      value,
      'spec',
      omit(
        withoutPorts(spec, before),
        'clusterIP',
        'clusterIPs',
        'ipFamilies',
        'ipFamilyPolicy',
        'internalTrafficPolicy',
      ),
    );
  const addressed = withAddress(withKeptAddress(withoutPorts(spec, before), before), cluster);
  const ported = withNodePorts(addressed, value, cluster);
  return replace(value, 'spec', withHealthPort(ported, value, cluster));
}

/** Removes what was allocated for an exposed service once it is internal, unless the update changes it. */
function withoutPorts(spec: JsonObject, old: JsonObject): JsonObject {
  if (isExposed(spec) || !isExposed(old)) return spec;
  const before = array(old, 'ports').map((port) => own(port, 'nodePort'));
  const ports = array(spec, 'ports').map((port) =>
    isObject(port) && before.includes(own(port, 'nodePort')) ? omit(port, 'nodePort') : port,
  );
  const isKept = own(spec, 'externalTrafficPolicy') === own(old, 'externalTrafficPolicy');
  const plain = isKept ? omit(spec, 'externalTrafficPolicy', 'healthCheckNodePort') : spec;
  const allocates = 'allocateLoadBalancerNodePorts';
  return { ...(own(spec, allocates) === own(old, allocates) ? omit(plain, allocates) : plain), ports };
}

/** An update that does not name the cluster IP keeps it. */
function withKeptAddress(spec: JsonObject, old: JsonObject): JsonObject {
  if (isExternal(old)) return spec;
  const kept = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort'].filter(
    (key) =>
      own(spec, key) === undefined &&
      own(old, key) !== undefined &&
      (key !== 'healthCheckNodePort' || needsHealthPort(spec)),
  );
  return { ...spec, ...Object.fromEntries(kept.map((key) => [key, own(old, key) ?? null])) };
}

function withAddress(spec: JsonObject, cluster: Cluster): JsonObject {
  const given = strings(spec, 'clusterIPs')[0] ?? text(spec, 'clusterIP');
  const isHeadless = given === 'None';
  const isWild = isHeadless && Object.keys(object(spec, 'selector')).length === 0;
  const families = isWild ? ['IPv4', 'IPv6'] : ['IPv4'];
  const address = given === '' ? freeAddress(cluster) : given;
  return {
    ...spec,
    clusterIP: address,
    clusterIPs: strings(spec, 'clusterIPs').length > 0 ? array(spec, 'clusterIPs') : [address],
    ipFamilies: array(spec, 'ipFamilies').length > 0 ? array(spec, 'ipFamilies') : families,
    ipFamilyPolicy: text(spec, 'ipFamilyPolicy') || (isWild ? 'RequireDualStack' : 'SingleStack'),
  };
}

function freeAddress(cluster: Cluster): string {
  const taken = takenAddresses(cluster);
  const all = Array.from(
    { length: hosts.last - hosts.first + 1 },
    (_, index) => `${prefix}${hosts.first + index}`,
  );
  const free = all.filter((address) => !taken.has(address));
  return free[Math.floor(cluster.random() * free.length)] ?? '';
}

function takenAddresses(cluster: Cluster): ReadonlySet<string> {
  return new Set(cluster.store.list('services').map(([, service]) => text(service, 'spec', 'clusterIP')));
}

export function takenPorts(cluster: Cluster, except: JsonObject): ReadonlySet<number> {
  const uid = text(except, 'metadata', 'uid');
  const others = cluster.store
    .list('services')
    .filter(([, service]) => text(service, 'metadata', 'uid') !== uid);
  return new Set(
    others.flatMap(([, service]) => [
      Number(own(object(service, 'spec'), 'healthCheckNodePort') ?? 0),
      ...array(service, 'spec', 'ports').map((port) => Number(own(port, 'nodePort') ?? 0)),
    ]),
  );
}

function withNodePorts(spec: JsonObject, value: JsonObject, cluster: Cluster): JsonObject {
  const ports = own(spec, 'ports');
  if (!isArray(ports)) return spec;
  const allocates =
    text(spec, 'type') === 'NodePort' ||
    (text(spec, 'type') === 'LoadBalancer' && own(spec, 'allocateLoadBalancerNodePorts') !== false);
  if (!allocates) return spec;
  const taken = new Set(takenPorts(cluster, value));
  for (const port of ports) taken.add(Number(own(port, 'nodePort') ?? 0));
  const complete = ports.map((port) => {
    if (!isObject(port) || (own(port, 'nodePort') ?? 0) !== 0) return port;
    const nodePort = freePort(taken, cluster);
    taken.add(nodePort);
    return { ...port, nodePort };
  });
  return replace(spec, 'ports', complete);
}

/** The lowest ports are for services that name their port: they are allocated when all others are taken. */
const reservedPorts = 86;

function freePort(taken: ReadonlySet<number>, cluster: Cluster): number {
  const size = nodePorts.last - nodePorts.first + 1;
  const start = reservedPorts + Math.floor(cluster.random() * (size - reservedPorts));
  for (let index = 0; index < size; index++) {
    const port = nodePorts.first + ((start + index) % size);
    if (!taken.has(port)) return port;
  }
  return 0;
}

function needsHealthPort(spec: JsonObject): boolean {
  return text(spec, 'type') === 'LoadBalancer' && text(spec, 'externalTrafficPolicy') === 'Local';
}

function withHealthPort(spec: JsonObject, value: JsonObject, cluster: Cluster): JsonObject {
  if (!needsHealthPort(spec) || (own(spec, 'healthCheckNodePort') ?? 0) !== 0) return spec;
  return { ...spec, healthCheckNodePort: freePort(takenPorts(cluster, value), cluster) };
}
