/** Predicates of the specification of a service. */
import { array, type JsonObject, object, own, strings, text } from '@kgen/schema/values/json';

export function isExternal(spec: JsonObject): boolean {
  return text(spec, 'type') === 'ExternalName';
}

export function isBalanced(spec: JsonObject): boolean {
  return text(spec, 'type') === 'LoadBalancer';
}

/** Returns whether the service has ports on nodes. */
export function isExposed(spec: JsonObject): boolean {
  return text(spec, 'type') === 'NodePort' || isBalanced(spec);
}

/** Returns whether the service can be reached from outside of the cluster. */
export function isReachable(spec: JsonObject): boolean {
  return isExposed(spec) || (text(spec, 'type') === 'ClusterIP' && array(spec, 'externalIPs').length > 0);
}

/** Returns whether the only cluster IP is `None`. */
export function isHeadless(spec: JsonObject): boolean {
  const addresses = strings(spec, 'clusterIPs');
  return addresses.length === 1 && addresses[0] === 'None';
}

/** Returns whether a headless service has no selector: its addresses may be of any family. */
export function isWild(spec: JsonObject): boolean {
  return text(spec, 'clusterIP') === 'None' && Object.keys(object(spec, 'selector')).length === 0;
}

/** Returns whether the service has a port for health checks. */
export function needsHealthPort(spec: JsonObject): boolean {
  return isBalanced(spec) && text(spec, 'externalTrafficPolicy') === 'Local';
}

/** Returns whether ports of nodes are allocated for ports that name none. */
export function allocatesPorts(spec: JsonObject): boolean {
  return (
    text(spec, 'type') === 'NodePort' ||
    (isBalanced(spec) && own(spec, 'allocateLoadBalancerNodePorts') !== false)
  );
}

/** Returns the family of an address. */
export function familyOf(address: string): string {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}
