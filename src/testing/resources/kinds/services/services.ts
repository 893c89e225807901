/** Services: defaults, cluster IPs, node ports and validation. */
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../api/fielderror.ts';
import {
  array,
  equal,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  strings,
  text,
} from '../../../values/json.ts';
import { labels } from '../pods/spec.ts';
import {
  below,
  between,
  type Check,
  oneOf,
  optional,
  present,
  requiredOneOf,
  valid,
  whole,
} from '../support/checks.ts';
import { fill } from '../support/fill.ts';
import {
  addressProblem,
  isAddress,
  labelProblem,
  portNameProblems,
  subdomainProblem,
} from '../support/names.ts';
import type { Cluster, KindRules, KindWrite } from '../support/rules.ts';
import { allocate, isExposed, isExternal, nodePorts, prefix, takenPorts } from './allocation.ts';
import { serviceWarnings } from './warnings.ts';

const portNumber = between(1, 65_535);
const target: Check = (value, path) =>
  typeof value === 'string' ? valid(portNameProblems)(value, path) : portNumber(value ?? 0, path);

const network = (value: string): string | undefined => {
  const [address = '', bits = ''] = value.trim().split('/');
  if (isAddress(address) && /^\d+$/.test(bits) && Number(bits) <= (address.includes(':') ? 128 : 32))
    return undefined;
  return 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
};

const spec: Check = whole((value, path) => [
  ...portsErrors(value),
  ...addressErrors(value, path),
  ...labels(own(value, 'selector'), below(path, 'selector')),
  ...requiredOneOf('ClientIP', 'None')(own(value, 'sessionAffinity'), below(path, 'sessionAffinity')),
  ...array(value, 'externalIPs').flatMap((item, index) =>
    valid(addressProblem)(item, `${path}.externalIPs[${index}]`),
  ),
  ...requiredOneOf(
    'ClusterIP',
    'ExternalName',
    'LoadBalancer',
    'NodePort',
  )(own(value, 'type'), below(path, 'type')),
  ...externalErrors(value, path),
  ...sourceRanges(value, path),
  ...trafficErrors(value, path),
]);

function portsErrors(spec: JsonObject): readonly FieldError[] {
  const ports = array(spec, 'ports');
  const isHeadless = text(spec, 'clusterIP') === 'None';
  if (ports.length === 0 && !isHeadless && !isExternal(spec)) return [required('spec.ports')];
  const [names, seen] = [new Set<string>(), new Set<string>()];
  return [
    ...ports.flatMap((port, index) => {
      const path = `spec.ports[${index}]`;
      const name = text(port, 'name');
      const errors = portErrors(port, path, ports.length === 1);
      const duplicate =
        name !== '' && names.has(name)
          ? [{ reason: 'FieldValueDuplicate', field: `${path}.name`, value: name } as const]
          : [];
      names.add(name);
      return [...errors, ...duplicate];
    }),
    ...ports.flatMap((port, index) => nodePortErrors(spec, port, `spec.ports[${index}]`)),
    ...ports.flatMap((port, index) => samePort(port, `spec.ports[${index}]`, seen)),
  ];
}

/** The server prints its internal type as the value. */
function samePort(port: Json, path: string, seen: Set<string>): readonly FieldError[] {
  const [number, protocol] = [own(port, 'port') ?? 0, text(port, 'protocol')];
  const key = `${protocol}/${String(number)}`;
  const isDuplicate = seen.has(key);
  seen.add(key);
  const value = { Name: '', Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
  return isDuplicate ? [{ reason: 'FieldValueDuplicate', field: path, value }] : [];
}

function nodePortErrors(spec: JsonObject, port: Json, path: string): readonly FieldError[] {
  const nodePort = Number(own(port, 'nodePort') ?? 0);
  if (nodePort === 0 || isExposed(spec)) return [];
  return [forbiddenField(`${path}.nodePort`, `may not be used when \`type\` is '${text(spec, 'type')}'`)];
}

function portErrors(port: Json, path: string, isNameless: boolean): readonly FieldError[] {
  const name = text(port, 'name');
  return [
    ...(name === ''
      ? isNameless
        ? []
        : [required(`${path}.name`)]
      : valid(labelProblem)(name, `${path}.name`)),
    ...portNumber(own(port, 'port') ?? 0, `${path}.port`),
    ...requiredOneOf('SCTP', 'TCP', 'UDP')(own(port, 'protocol'), `${path}.protocol`),
    ...target(own(port, 'targetPort'), `${path}.targetPort`),
  ];
}

function addressErrors(value: JsonObject, path: string): readonly FieldError[] {
  const given = strings(value, 'clusterIPs');
  if (isExternal(value)) {
    return given.length > 0 || text(value, 'clusterIP') !== ''
      ? [forbiddenField(below(path, 'clusterIPs'), 'may not be set for ExternalName services')]
      : [];
  }
  const policy = text(value, 'ipFamilyPolicy');
  const isWild = text(value, 'clusterIP') === 'None' && Object.keys(object(value, 'selector')).length === 0;
  return [
    ...given.flatMap((item, index) =>
      item === 'None' ? [] : valid(addressProblem)(item, `${path}.clusterIPs[${index}]`),
    ),
    ...optional(oneOf('PreferDualStack', 'RequireDualStack', 'SingleStack'))(
      own(value, 'ipFamilyPolicy'),
      below(path, 'ipFamilyPolicy'),
    ),
    ...(policy === 'RequireDualStack' && !isWild
      ? [
          invalidValue(
            below(path, 'ipFamilyPolicy'),
            policy,
            'this cluster is not configured for dual-stack services',
          ),
        ]
      : []),
    ...(isWild
      ? []
      : strings(value, 'ipFamilies').flatMap((item, index) =>
          item === 'IPv4'
            ? []
            : [invalidValue(`${path}.ipFamilies[${index}]`, item, 'not configured on this cluster')],
        )),
  ];
}

function externalErrors(value: JsonObject, path: string): readonly FieldError[] {
  if (!isExternal(value)) return [];
  const name = text(value, 'externalName').replace(/\.$/, '');
  const at = below(path, 'externalName');
  return name === '' ? present()(undefined, at) : valid(subdomainProblem)(name, at);
}

function sourceRanges(value: JsonObject, path: string): readonly FieldError[] {
  const ranges = strings(value, 'loadBalancerSourceRanges');
  // As on a real server, with a capital letter.
  const at = below(path, 'LoadBalancerSourceRanges');
  if (ranges.length === 0) return [];
  return [
    ...(text(value, 'type') === 'LoadBalancer'
      ? []
      : [forbiddenField(at, "may only be used when `type` is 'LoadBalancer'")]),
    ...ranges.flatMap((item, index) => valid(network)(item, `${at}[${index}]`)),
  ];
}

function trafficErrors(value: JsonObject, path: string): readonly FieldError[] {
  const external = own(value, 'externalTrafficPolicy');
  const isExternallyReachable = isExposed(value) || array(value, 'externalIPs').length > 0;
  const at = below(path, 'externalTrafficPolicy');
  return [
    ...(external === undefined || isExternallyReachable
      ? []
      : [invalidValue(at, external, 'may only be set for externally-accessible services')]),
    ...(external !== undefined && isExternallyReachable ? oneOf('Cluster', 'Local')(external, at) : []),
    ...optional((item, where) =>
      item === 'Cluster' || item === 'Local' ? [] : [notSupported(where, item ?? '', ['Cluster', 'Local'])],
    )(own(value, 'internalTrafficPolicy'), below(path, 'internalTrafficPolicy')),
  ];
}

/** Only load balancers have addresses outside. */
const balancerErrors: Check = (value) =>
  array(value, 'status', 'loadBalancer', 'ingress').length > 0 &&
  text(value, 'spec', 'type') !== 'LoadBalancer'
    ? [forbiddenField('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'")]
    : [];

/** Rules of services. */
export const serviceRules: Readonly<Record<string, KindRules>> = {
  services: {
    createOnUpdate: true,
    name: (name) => (name.includes('.') ? 'must not contain dots' : labelProblem(name)),
    defaults: withDefaults,
    create: (value, cluster) => allocate({ ...value, status: { loadBalancer: {} } }, undefined, cluster),
    update: (value, old, cluster) => allocate(value, old, cluster),
    check: (value) => spec(own(value, 'spec'), 'spec'),
    checkStatus: balancerErrors,
    checkUpdate: updateErrors,
    checkCluster: allocationErrors,
    warnings: serviceWarnings,
  },
};

function updateErrors({ value, old }: KindWrite): readonly FieldError[] {
  const [next, before] = [object(value, 'spec'), object(old, 'spec')];
  if (isExternal(next) || isExternal(before)) return [];
  const addresses = own(next, 'clusterIPs') ?? null;
  const [address, previous] = [own(next, 'clusterIP') ?? '', own(before, 'clusterIP') ?? ''];
  if (previous === '' || equal(address, previous)) return [];
  return [invalidValue('spec.clusterIPs[0]', addresses, 'may not change once set')];
}

/** Addresses and ports must be free, and addresses within the range. */
function allocationErrors({ value, old }: KindWrite, cluster: Cluster): readonly FieldError[] {
  const spec_ = object(value, 'spec');
  const address = text(spec_, 'clusterIP');
  const isNew = address !== text(object(old, 'spec'), 'clusterIP');
  const isChecked = isNew && address !== 'None' && isAddress(address);
  const shown = array(spec_, 'clusterIPs');
  const failed = (why: string): FieldError =>
    invalidValue('spec.clusterIPs', shown, `failed to allocate IP ${address}: ${why}`);
  const range = cluster.dryRun
    ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${prefix}0/24`
    : 'the provided network does not match the current range';
  const taken = cluster.store
    .list('services')
    .some(
      ([, service]) =>
        text(service, 'spec', 'clusterIP') === address &&
        text(service, 'metadata', 'uid') !== text(value, 'metadata', 'uid'),
    );
  return [
    ...(isChecked && !address.startsWith(prefix) ? [failed(range)] : []),
    ...(isChecked && taken ? [failed('provided IP is already allocated')] : []),
    ...portAllocationErrors(spec_, value, cluster),
  ];
}

function portAllocationErrors(spec_: JsonObject, value: JsonObject, cluster: Cluster): readonly FieldError[] {
  if (cluster.dryRun) return [];
  const taken = takenPorts(cluster, value);
  return array(spec_, 'ports').flatMap((port, index) => {
    const nodePort = Number(own(port, 'nodePort') ?? 0);
    const at = `spec.ports[${index}].nodePort`;
    if (nodePort === 0) return [];
    if (nodePort < nodePorts.first || nodePort > nodePorts.last) {
      return [
        invalidValue(
          at,
          nodePort,
          `provided port is not in the valid range. The range of valid ports is ${nodePorts.first}-${nodePorts.last}`,
        ),
      ];
    }
    return taken.has(nodePort) ? [invalidValue(at, nodePort, 'provided port is already allocated')] : [];
  });
}

function withDefaults(value: JsonObject): JsonObject {
  const filled = fill(value, {
    in: {
      spec: {
        set: { sessionAffinity: 'None', type: 'ClusterIP' },
        each: {
          ports: {
            set: { protocol: 'TCP' },
            when: (port) => {
              const target = own(port, 'targetPort');
              return target === undefined || target === 0 || target === ''
                ? { ...port, targetPort: own(port, 'port') ?? 0 }
                : port;
            },
          },
        },
        when: specDefaults,
      },
    },
  });
  return putAt(filled, ['status', 'loadBalancer'], object(filled, 'status', 'loadBalancer'));
}

function specDefaults(spec: JsonObject): JsonObject {
  const timeout = { clientIP: { timeoutSeconds: 10_800 } };
  const affinity =
    text(spec, 'sessionAffinity') === 'ClientIP' && !isObject(own(spec, 'sessionAffinityConfig'));
  const plain = text(spec, 'sessionAffinity') === 'None' ? omit(spec, 'sessionAffinityConfig') : spec;
  return {
    ...plain,
    ...(affinity ? { sessionAffinityConfig: timeout } : {}),
    ...(isExposed(spec) ? { externalTrafficPolicy: text(spec, 'externalTrafficPolicy') || 'Cluster' } : {}),
    ...(text(spec, 'type') === 'LoadBalancer' && own(spec, 'allocateLoadBalancerNodePorts') === undefined
      ? { allocateLoadBalancerNodePorts: true }
      : {}),
    ...(isExternal(spec) || own(spec, 'internalTrafficPolicy') !== undefined
      ? {}
      : { internalTrafficPolicy: 'Cluster' }),
  };
}
