/** Kinds of addresses: ranges of services, their addresses, and slices of endpoints. */
import { invalidValue, required } from '@kgen/runtime/objects';
import { array, at, isObject, type JsonObject, omit, own, strings, text } from '@kgen/schema/values/json';
import {
  all,
  type Check,
  each,
  first,
  immutable,
  members,
  named,
  oneOf,
  optional,
  present,
  unique,
  valid,
  whole,
} from '../support/checks.ts';
import { fill } from '../support/fill.ts';
import {
  addressProblem,
  labelProblem,
  labelValueProblem,
  networkProblem,
  pathSegmentProblem,
  qualifiedProblems,
  subdomainProblem,
} from '../support/names.ts';
import { type KindRules, restoredMetadata } from '../support/rules.ts';

const oneOfEachFamily =
  'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';

const ranges: Check = (value, path) => {
  const given = strings(value);
  const isDual = new Set(given.map((item) => item.includes(':'))).size === 2;
  if (given.length === 0) return [required(path, 'at least one CIDR required')];
  if (given.length > 2) return [invalidValue(path, given, 'may only hold up to 2 values')];
  if (given.length === 2 && !isDual) return [invalidValue(path, given, oneOfEachFamily)];
  return each(valid(networkProblem))(given, path);
};

export const serviceCidrs: KindRules = {
  statusKeeps: restoredMetadata,
  checkWrite: ({ value, old }) => (old === undefined ? ranges(at(value, 'spec', 'cidrs'), 'spec.cidrs') : []),
  checkUpdate: ({ value, old }) => {
    const [now, then] = [strings(value, 'spec', 'cidrs'), strings(old, 'spec', 'cidrs')];
    if (now.length === then.length)
      return now.flatMap((item, index) => immutable(`spec.cidrs[${index}]`, item, then[index]));
    // A second range may be added to the first one.
    if (now.length === 2 && now[0] === then[0]) return ranges(now, 'spec.cidrs');
    return [invalidValue('spec.cidrs', at(value, 'spec', 'cidrs') ?? null, 'field is immutable')];
  },
};

export const ipAddresses: KindRules = {
  name: addressProblem,
  check: members({
    spec: members({
      parentRef: (value, path) =>
        isObject(value)
          ? members({
              group: optional(valid((group) => (group === '' ? undefined : subdomainProblem(group)))),
              resource: named(pathSegmentProblem),
              name: named(pathSegmentProblem),
              namespace: optional(valid((name) => (name === '' ? undefined : pathSegmentProblem(name)))),
            })(value, path)
          : [required(path)],
    }),
  }),
  checkUpdate: ({ value, old }) =>
    immutable('spec.parentRef', at(value, 'spec', 'parentRef'), at(old, 'spec', 'parentRef')),
};

const family: Readonly<Record<string, (address: string) => string | undefined>> = {
  IPv4: (address) =>
    addressProblem(address) ?? (address.includes(':') ? 'must be a valid IPv4 address' : undefined),
  IPv6: (address) =>
    addressProblem(address) ?? (address.includes(':') ? undefined : 'must be a valid IPv6 address'),
};

const endpoint = (addressType: string): Check =>
  members({
    addresses: first(
      present('must contain at least 1 address'),
      each(valid((address) => family[addressType]?.(address))),
    ),
    nodeName: optional(valid(subdomainProblem)),
    hostname: optional(valid(labelProblem)),
    hints: optional(
      members({ forZones: all(each(members({ name: valid(labelValueProblem) })), unique('name')) }),
    ),
  });

const slicePorts: Check = all(
  each(
    members({
      name: optional(valid((name) => (name === '' ? undefined : labelProblem(name)))),
      protocol: optional(oneOf('SCTP', 'TCP', 'UDP')),
      appProtocol: optional(valid(qualifiedProblems)),
    }),
  ),
  unique('name', 'with empty'),
);

export const endpointSlices: KindRules = {
  generation: true,
  counted: 'labels',
  create: withoutTopology,
  update: withoutTopology,
  // A topology counts as a change.
  counts: (value) => withoutTopology(value) !== value,
  defaults: (value) =>
    fill(value, { each: { ports: { when: (port) => ({ name: '', protocol: 'TCP', ...port }) } } }),
  check: whole((value, path) =>
    members({
      addressType: first(present(), oneOf('FQDN', 'IPv4', 'IPv6')),
      endpoints: each(endpoint(text(value, 'addressType'))),
      ports: slicePorts,
    })(value, path),
  ),
  checkUpdate: ({ value, old }) =>
    immutable('addressType', own(value, 'addressType'), own(old, 'addressType')),
};

/** The server removes the topology of older versions. */
function withoutTopology(value: JsonObject): JsonObject {
  const endpoints = array(value, 'endpoints');
  if (!endpoints.some((item) => own(item, 'deprecatedTopology') !== undefined)) return value;
  return {
    ...value,
    endpoints: endpoints.map((item) => (isObject(item) ? omit(item, 'deprecatedTopology') : item)),
  };
}
