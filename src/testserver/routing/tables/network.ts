/** Columns of services, endpoints, ingresses and network policies. */

import { array, at, type Json, type JsonObject, object, strings, text } from '@kgen/schema/values/json';
import { nameOf } from '../../store/object-facts.ts';
import { type Printer, parseColumns } from './columns.ts';
import { ageOf, count, formatLabels, formatSelector, listWithMore, printed } from './values.ts';

/** Columns by kind. */
export const network: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  [
    '/Service',
    {
      columns: parseColumns('Name,Type,Cluster-IP,External-IP,Port(s),Age,+Selector'),
      cells: (value, now) => [
        nameOf(value),
        text(value, 'spec', 'type'),
        strings(value, 'spec', 'clusterIPs')[0] ?? '<none>',
        externalAddress(value),
        array(value, 'spec', 'ports').map(formatPort).join(',') || '<none>',
        ageOf(value, now),
        formatLabels(object(value, 'spec', 'selector')),
      ],
    },
  ],
  [
    '/Endpoints',
    {
      columns: parseColumns('Name,Endpoints,Age'),
      cells: (value, now) => [nameOf(value), formatSubsets(array(value, 'subsets')), ageOf(value, now)],
    },
  ],
  [
    'discovery.k8s.io/EndpointSlice',
    {
      columns: parseColumns('Name,AddressType,Ports,Endpoints,Age'),
      cells: (value, now) => [
        nameOf(value),
        text(value, 'addressType'),
        listWithMore(slicePorts(value), 3) || '<unset>',
        listWithMore(
          array(value, 'endpoints').flatMap((item) => strings(item, 'addresses')),
          3,
        ) || '<unset>',
        ageOf(value, now),
      ],
    },
  ],
  [
    'networking.k8s.io/Ingress',
    {
      columns: parseColumns('Name,Class,Hosts,Address,Ports,Age'),
      cells: (value, now) => [
        nameOf(value),
        printed(value, '<none>', 'spec', 'ingressClassName'),
        formatHosts(array(value, 'spec', 'rules')),
        loadBalancerAddresses(value).join(','),
        array(value, 'spec', 'tls').length > 0 ? '80, 443' : '80',
        ageOf(value, now),
      ],
    },
  ],
  [
    'networking.k8s.io/IngressClass',
    {
      columns: parseColumns('Name,Controller,Parameters,Age'),
      cells: (value, now) => [
        `${nameOf(value)}${isDefaultClass(value) ? ' (default)' : ''}`,
        text(value, 'spec', 'controller'),
        classParameters(at(value, 'spec', 'parameters')),
        ageOf(value, now),
      ],
    },
  ],
  [
    'networking.k8s.io/NetworkPolicy',
    {
      columns: parseColumns('Name,Pod-Selector,Age'),
      cells: (value, now) => [
        nameOf(value),
        formatSelector(at(value, 'spec', 'podSelector')),
        ageOf(value, now),
      ],
    },
  ],
]);

function externalAddress(value: JsonObject): string {
  const external = strings(value, 'spec', 'externalIPs');
  switch (text(value, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer':
      return [...loadBalancerAddresses(value), ...external].join(',') || '<pending>';
    case 'ExternalName':
      return text(value, 'spec', 'externalName');
    default:
      return '<unknown>';
  }
}

function loadBalancerAddresses(value: JsonObject): readonly string[] {
  const addresses = array(value, 'status', 'loadBalancer', 'ingress').map(
    (item) => text(item, 'ip') || text(item, 'hostname'),
  );
  return [...new Set(addresses.filter(Boolean))].toSorted();
}

function formatPort(port: Json): string {
  const nodePort = count(port, 'nodePort');
  const number = count(port, 'port');
  return `${number}${nodePort > 0 ? `:${nodePort}` : ''}/${text(port, 'protocol')}`;
}

function formatSubsets(subsets: readonly Json[]): string {
  if (subsets.length === 0) return '<none>';
  const addresses = subsets.flatMap((subset) => {
    const ips = array(subset, 'addresses').map((address) => text(address, 'ip'));
    const ports = array(subset, 'ports').map((port) => count(port, 'port'));
    return ports.length === 0
      ? ips
      : ports.flatMap((port) => ips.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`));
  });
  return listWithMore(addresses, 3);
}

function slicePorts(value: JsonObject): readonly string[] {
  return array(value, 'ports').map((port) => {
    const number = at(port, 'port');
    return typeof number === 'number' ? String(number) : printed(port, '*', 'name');
  });
}

function formatHosts(rules: readonly Json[]): string {
  const hosts = rules.map((rule) => text(rule, 'host'));
  const list: string[] = [];
  for (const host of hosts) {
    if (list.length === 3) return `${list.join(',')} + ${rules.length - 3} more...`;
    if (host !== '') list.push(host);
  }
  return list.join(',') || '*';
}

function classParameters(parameters: Json | undefined): string {
  if (parameters === undefined) return '<none>';
  const group = text(parameters, 'apiGroup');
  const kind = text(parameters, 'kind');
  return `${group === '' ? kind : `${kind}.${group}`}/${text(parameters, 'name')}`;
}

function isDefaultClass(value: JsonObject): boolean {
  return text(value, 'metadata', 'annotations', 'ingressclass.kubernetes.io/is-default-class') === 'true';
}
