/** Services: defaults, cluster IPs, node ports and validation. */

import { type FieldError, forbiddenField, invalidValue, required } from '@kgen/runtime/objects';
import {
  array,
  at,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  replace,
  strings,
  text,
} from '@kgen/schema/values/json';
import {
  below,
  between,
  type Check,
  each,
  isEmpty,
  listed,
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
  networkProblem,
  portNameProblems,
  qualifiedProblems,
  subdomainProblem,
} from '../support/names.ts';
import type { Cluster, KindRules } from '../support/rules.ts';
import { labels } from '../support/selectors.ts';
import { relatedErrors } from './address-errors.ts';
import { type Allocation, withAddresses } from './addresses.ts';
import { updateErrors, withoutUnusedFields } from './changes.ts';
import { withPorts } from './ports.ts';
import { isBalanced, isExposed, isExternal, isHeadless, isReachable, needsHealthPort } from './spec.ts';
import { serviceWarnings } from './warnings.ts';

const portNumber = between(1, 65_535);
const target: Check = (value, path) =>
  typeof value === 'string' ? valid(portNameProblems)(value, path) : portNumber(value ?? 0, path);

const spec: Check = whole((value, path) => [
  ...typeErrors(value, path),
  ...portsErrors(value),
  ...labels(own(value, 'selector'), below(path, 'selector')),
  ...requiredOneOf('ClientIP', 'None')(own(value, 'sessionAffinity'), below(path, 'sessionAffinity')),
  ...affinityErrors(value, path),
  ...relatedErrors(value),
  ...array(value, 'externalIPs').flatMap((item, index) =>
    valid(addressProblem)(item, `${path}.externalIPs[${index}]`),
  ),
  ...requiredOneOf(
    'ClusterIP',
    'ExternalName',
    'LoadBalancer',
    'NodePort',
  )(own(value, 'type'), below(path, 'type')),
  ...nodePortsErrors(value, path),
  ...sourceRanges(value, path),
  ...balancerFields(value, path),
  ...trafficErrors(value, path),
]);

/** Returns the errors of members that the type requires or forbids. */
function typeErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const type = text(spec, 'type');
  const none = `may not be set to 'None' for ${type} services`;
  return [
    ...(array(spec, 'ports').length === 0 && !isHeadless(spec) && !isExternal(spec)
      ? [required(below(path, 'ports'))]
      : []),
    ...(isExposed(spec) && isHeadless(spec) ? [invalidValue(`${path}.clusterIPs[0]`, 'None', none)] : []),
    ...externalErrors(spec, path),
  ];
}

function portsErrors(spec: JsonObject): readonly FieldError[] {
  const ports = array(spec, 'ports');
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = `spec.ports[${index}]`;
    const name = text(port, 'name');
    const errors = portErrors(port, path, ports.length === 1);
    const duplicate =
      name !== '' && names.has(name)
        ? [{ reason: 'FieldValueDuplicate', field: `${path}.name`, value: name } as const]
        : [];
    names.add(name);
    return [...errors, ...duplicate];
  });
}

/** Returns the errors of ports that are used twice, and of ports of nodes that the type does not have. */
function nodePortsErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const ports = array(spec, 'ports');
  const [seen, used] = [new Set<string>(), new Set<string>()];
  const each = (check: (port: Json, path: string) => readonly FieldError[]): readonly FieldError[] =>
    ports.flatMap((port, index) => check(port, `${path}.ports[${index}]`));
  return [
    ...each((port, at) => nodePortErrors(spec, port, at)),
    ...each((port, at) => sameNodePort(port, at, used)),
    ...each((port, at) => samePort(port, at, seen)),
  ];
}

function sameNodePort(port: Json, path: string, used: Set<string>): readonly FieldError[] {
  const nodePort = own(port, 'nodePort') ?? 0;
  if (nodePort === 0) return [];
  const key = `${text(port, 'protocol')}/${String(nodePort)}`;
  const isDuplicate = used.has(key);
  used.add(key);
  return isDuplicate ? [{ reason: 'FieldValueDuplicate', field: `${path}.nodePort`, value: nodePort }] : [];
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
  if (nodePort === 0 || text(spec, 'type') !== 'ClusterIP') return [];
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
    ...valid(qualifiedProblems)(own(port, 'appProtocol'), `${path}.appProtocol`),
  ];
}

const affinitySeconds = 86_400;

function affinityErrors(spec: JsonObject, path: string): readonly FieldError[] {
  const field = `${path}.sessionAffinityConfig.clientIP.timeoutSeconds`;
  const seconds = Number(at(spec, 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds') ?? 1);
  if (text(spec, 'sessionAffinity') !== 'ClientIP' || (seconds > 0 && seconds <= affinitySeconds)) return [];
  return [invalidValue(field, seconds, `must be greater than 0 and less than ${affinitySeconds}`)];
}

function externalErrors(value: JsonObject, path: string): readonly FieldError[] {
  if (!isExternal(value)) return [];
  const name = text(value, 'externalName').replace(/\.$/, '');
  const field = below(path, 'externalName');
  return [
    ...['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']
      .filter((key) => !isEmpty(own(value, key)))
      .map((key) => forbiddenField(below(path, key), 'may not be set for ExternalName services')),
    ...(name === '' ? present()(undefined, field) : valid(subdomainProblem)(name, field)),
  ];
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
    ...ranges.flatMap((item, index) => valid(networkProblem)(item, `${at}[${index}]`)),
  ];
}

const onlyBalancers = "may only be used when `type` is 'LoadBalancer'";

function balancerFields(value: JsonObject, path: string): readonly FieldError[] {
  const name = own(value, 'loadBalancerClass');
  if (isBalanced(value)) return valid(qualifiedProblems)(name, below(path, 'loadBalancerClass'));
  return ['allocateLoadBalancerNodePorts', 'loadBalancerClass']
    .filter((key) => own(value, key) !== undefined)
    .map((key) => forbiddenField(below(path, key), onlyBalancers));
}

function trafficErrors(value: JsonObject, path: string): readonly FieldError[] {
  const external = own(value, 'externalTrafficPolicy');
  const field = below(path, 'externalTrafficPolicy');
  const outside = [
    invalidValue(field, external ?? null, 'may only be set for externally-accessible services'),
  ];
  return [
    ...(isReachable(value)
      ? requiredOneOf('Cluster', 'Local')(external, field)
      : isEmpty(external)
        ? []
        : outside),
    ...healthErrors(value, path),
    ...optional(oneOf('Cluster', 'Local'))(
      own(value, 'internalTrafficPolicy'),
      below(path, 'internalTrafficPolicy'),
    ),
    ...optional(listed('PreferClose', 'PreferSameZone', 'PreferSameNode'))(
      own(value, 'trafficDistribution'),
      below(path, 'trafficDistribution'),
    ),
  ];
}

function healthErrors(value: JsonObject, path: string): readonly FieldError[] {
  const [port, field] = [own(value, 'healthCheckNodePort') ?? 0, below(path, 'healthCheckNodePort')];
  if (needsHealthPort(value)) return port === 0 ? [required(field)] : portNumber(port, field);
  const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return port === 0 ? [] : [invalidValue(field, port, detail)];
}

/** Only load balancers have addresses outside. */
const balancerErrors: Check = (value) => {
  const [path, points] = ['status.loadBalancer.ingress', array(value, 'status', 'loadBalancer', 'ingress')];
  if (points.length > 0 && text(value, 'spec', 'type') !== 'LoadBalancer')
    return [forbiddenField(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  return each(outsidePoint)(points, path);
};

const outsidePoint: Check = whole((value, path) => {
  const [ip, mode, hostname] = ['ip', 'ipMode', 'hostname'].map((key) => text(value, key));
  const at = below(path, 'ipMode');
  return [
    ...(ip === '' ? [] : valid(addressProblem)(ip, below(path, 'ip'))),
    ...(mode === '' && ip !== '' ? [required(at, 'must be specified when `ip` is set')] : []),
    ...(mode !== '' && ip === '' ? [forbiddenField(at, 'may not be specified when `ip` is not set')] : []),
    ...(mode !== '' && ip !== '' ? oneOf('Proxy', 'VIP')(mode, at) : []),
    ...(hostname === '' ? [] : valid(subdomainProblem)(hostname, below(path, 'hostname'))),
    ...(isAddress(hostname ?? '')
      ? [invalidValue(below(path, 'hostname'), hostname ?? '', 'must be a DNS name, not an IP address')]
      : []),
  ];
});

/** Rules of services. */
export const serviceRules: Readonly<Record<string, KindRules>> = {
  services: {
    createOnUpdate: true,
    name: labelProblem,
    defaults: withDefaults,
    create: (value, cluster) => allocate({ ...value, status: { loadBalancer: {} } }, undefined, cluster),
    update: (value, old, cluster) => withoutUnused(allocate(value, old, cluster), old),
    check: (value) => spec(own(value, 'spec'), 'spec'),
    checkStatus: balancerErrors,
    checkUpdate: updateErrors,
    warnings: serviceWarnings,
  },
};

/** Allocates cluster IPs and ports of nodes. Returns an object as servers read it. @throws {Failure} 422 or 500 */
function allocate(value: JsonObject, old: JsonObject | undefined, cluster: Cluster): JsonObject {
  const before = old === undefined ? undefined : object(old, 'spec');
  const uid = text(old, 'metadata', 'uid');
  const allocation: Allocation = { name: text(value, 'metadata', 'name'), uid, before, cluster };
  const addressed = withAddresses(object(value, 'spec'), allocation);
  const spec = withPorts(addressed, allocation);
  // Its owner is kept.
  return replace(value, 'spec', isExternal(spec) ? omit(spec, 'internalTrafficPolicy') : spec);
}

/** Removes what the type of an updated service does not have, such as addresses of its load balancer. */
function withoutUnused(value: JsonObject, old: JsonObject): JsonObject {
  const spec = withoutUnusedFields(object(value, 'spec'), object(old, 'spec'));
  const next = replace(value, 'spec', spec);
  return isBalanced(spec) ? next : putAt(next, ['status', 'loadBalancer'], {});
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
  return putAt(filled, ['status', 'loadBalancer'], withModes(filled));
}

/** Addresses outside belong to the load balancer itself, unless it is a proxy. */
function withModes(value: JsonObject): JsonObject {
  return fill(object(value, 'status', 'loadBalancer'), {
    each: {
      ingress: {
        when: (point) =>
          text(point, 'ip') === '' || own(point, 'ipMode') !== undefined
            ? point
            : { ...point, ipMode: 'VIP' },
      },
    },
  });
}

const clusterTypes = ['ClusterIP', 'NodePort', 'LoadBalancer'];

function specDefaults(spec: JsonObject): JsonObject {
  const timeout = { clientIP: { timeoutSeconds: 10_800 } };
  const affinity =
    text(spec, 'sessionAffinity') === 'ClientIP' && !isObject(own(spec, 'sessionAffinityConfig'));
  const plain = text(spec, 'sessionAffinity') === 'None' ? omit(spec, 'sessionAffinityConfig') : spec;
  return {
    ...plain,
    ...(affinity ? { sessionAffinityConfig: timeout } : {}),
    ...(isReachable(spec) ? { externalTrafficPolicy: text(spec, 'externalTrafficPolicy') || 'Cluster' } : {}),
    ...(text(spec, 'type') === 'LoadBalancer' && own(spec, 'allocateLoadBalancerNodePorts') === undefined
      ? { allocateLoadBalancerNodePorts: true }
      : {}),
    ...(own(spec, 'internalTrafficPolicy') === undefined && clusterTypes.includes(text(spec, 'type'))
      ? { internalTrafficPolicy: 'Cluster' }
      : {}),
  };
}
