/** Cluster IPs of services in a cluster that has IPv4 addresses only, and their families. */

import { type FieldError, invalidValue } from '@kgen/runtime/objects';
import { equal, type JsonObject, omit, own, strings, text } from '@kgen/schema/values/json';
import { failure, invalid } from '../../../errors/failures.ts';
import type { Cluster } from '../support/rules.ts';
import { relatedErrors } from './address-errors.ts';
import { contains, defaultRange, freeAddress, rangesOf } from './ranges.ts';
import { familyOf, isExternal, isWild } from './spec.ts';

/** A service that is created or updated. */
export interface Allocation {
  readonly name: string;
  readonly uid: string;
  /** The specification before the update; `undefined` for a create. */
  readonly before: JsonObject | undefined;
  readonly cluster: Cluster;
}

/**
 * Completes families and cluster IPs. An update that does not name them keeps them.
 * @throws {Failure} 422 for addresses and families that contradict each other or cannot be allocated
 */
export function withAddresses(spec: JsonObject, allocation: Allocation): JsonObject {
  const { before } = allocation;
  const named =
    before === undefined ? withList(spec) : withChangedList(withKeptAddress(spec, before), before);
  if (isExternal(named) || keepsDualStack(named, before)) return named;
  const complete = withFamilies(named, allocation);
  return before === undefined || isExternal(before) ? withAllocated(complete, allocation) : complete;
}

/** Creates the list of cluster IPs for clients that have only the single one. */
function withList(spec: JsonObject): JsonObject {
  const address = text(spec, 'clusterIP');
  return address === '' || strings(spec, 'clusterIPs').length > 0 ? spec : { ...spec, clusterIPs: [address] };
}

function withKeptAddress(spec: JsonObject, before: JsonObject): JsonObject {
  if (isExternal(spec) || isExternal(before)) return spec;
  const addresses = strings(spec, 'clusterIPs').length > 0 ? {} : addressesOf(before);
  const address = text(spec, 'clusterIP') || text(before, 'clusterIP');
  return { ...spec, ...(address === '' ? {} : { clusterIP: address }), ...addresses };
}

function addressesOf(spec: JsonObject): JsonObject {
  const addresses = strings(spec, 'clusterIPs');
  return addresses.length === 0 ? {} : { clusterIPs: addresses };
}

/** Changes the list of cluster IPs for clients that change only the single one. */
function withChangedList(spec: JsonObject, before: JsonObject): JsonObject {
  const [address, previous] = [text(spec, 'clusterIP'), text(before, 'clusterIP')];
  if (address === previous)
    return strings(spec, 'clusterIPs').length > 0 ? spec : { ...spec, ...addressesOf(before) };
  if (!sameAddresses(spec, before)) return spec;
  return address === '' ? omit(spec, 'clusterIPs') : { ...spec, clusterIPs: [address] };
}

export function sameAddresses(spec: JsonObject, before: JsonObject): boolean {
  return equal(strings(spec, 'clusterIPs'), strings(before, 'clusterIPs'));
}

export function sameFamilies(spec: JsonObject, before: JsonObject): boolean {
  return equal(strings(spec, 'ipFamilies'), strings(before, 'ipFamilies'));
}

/** A service that prefers two families keeps those it has, until an update names others. */
function keepsDualStack(spec: JsonObject, before: JsonObject | undefined): boolean {
  const preferred = 'PreferDualStack';
  return (
    before !== undefined &&
    text(spec, 'ipFamilyPolicy') === preferred &&
    [preferred, ''].includes(text(before, 'ipFamilyPolicy')) &&
    ['ClusterIP', 'NodePort', 'LoadBalancer'].includes(text(spec, 'type')) &&
    text(spec, 'type') === text(before, 'type') &&
    sameAddresses(spec, before) &&
    sameFamilies(spec, before)
  );
}

function withFamilies(spec: JsonObject, allocation: Allocation): JsonObject {
  const { before } = allocation;
  const policy =
    text(spec, 'ipFamilyPolicy') ||
    text(before, 'ipFamilyPolicy') ||
    (isWild(spec) ? 'RequireDualStack' : 'SingleStack');
  const named = { ...spec, ipFamilyPolicy: policy };
  refuse(allocation, relatedErrors(named));
  const isSingle = policy === 'SingleStack';
  const reduced = isSingle && before !== undefined ? withoutSecond(named, before) : named;
  const addresses = strings(reduced, 'clusterIPs');
  const unknown = addresses[0] === 'None' ? [] : addresses.slice(strings(reduced, 'ipFamilies').length);
  refuse(allocation, [
    ...(before === undefined || isSingle ? [] : releaseErrors(reduced, before)),
    ...(isSingle ? singleErrors(reduced) : []),
    ...unknown
      .filter((address) => familyOf(address) === 'IPv6')
      .map((address) =>
        invalidValue(
          `spec.clusterIPs[${addresses.indexOf(address)}]`,
          addresses,
          'IPv6 is not configured on this cluster',
        ),
      ),
  ]);
  const families = [...strings(reduced, 'ipFamilies'), ...unknown.map(familyOf)];
  if (isWild(reduced)) return { ...reduced, ipFamilies: wildFamilies(families, isSingle) };
  refuse(allocation, unsupportedErrors(families, policy));
  return { ...reduced, ipFamilies: families.length === 0 ? ['IPv4'] : families };
}

/** @throws {Failure} 422 if there are errors */
function refuse({ name }: Pick<Allocation, 'name'>, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid('', 'Service', name, errors);
}

/** A change to a single family releases the second one. */
function withoutSecond(spec: JsonObject, before: JsonObject): JsonObject {
  const first = (key: string, isSame: boolean): JsonObject =>
    isSame && strings(spec, key).length > 1 ? { [key]: strings(spec, key).slice(0, 1) } : {};
  return {
    ...spec,
    ...first('clusterIPs', sameAddresses(spec, before)),
    ...first('ipFamilies', sameFamilies(spec, before)),
  };
}

function releaseErrors(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const error = (key: string, what: string): readonly FieldError[] => {
    const [now, then] = [strings(spec, key).length, strings(before, key).length];
    const detail = `must be 'SingleStack' to release the secondary ${what}`;
    return now > 0 && now < then ? [policyError(spec, detail)] : [];
  };
  return [...error('clusterIPs', 'cluster IP'), ...error('ipFamilies', 'IP family')];
}

function policyError(spec: JsonObject, detail: string): FieldError {
  return invalidValue('spec.ipFamilyPolicy', text(spec, 'ipFamilyPolicy'), detail);
}

function singleErrors(spec: JsonObject): readonly FieldError[] {
  const error = (key: string, what: string): readonly FieldError[] => {
    const detail = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    return strings(spec, key).length === 2 ? [policyError(spec, detail)] : [];
  };
  return [...error('clusterIPs', 'cluster IPs'), ...error('ipFamilies', 'IP families')];
}

function unsupportedErrors(families: readonly string[], policy: string): readonly FieldError[] {
  const detail = 'this cluster is not configured for dual-stack services';
  return [
    ...(policy === 'RequireDualStack' ? [invalidValue('spec.ipFamilyPolicy', policy, detail)] : []),
    ...families.flatMap((family, index) =>
      family === 'IPv4'
        ? []
        : [invalidValue(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ];
}

function wildFamilies(families: readonly string[], isSingle: boolean): readonly string[] {
  const first = families[0] ?? 'IPv4';
  if (families.length > 1 || isSingle) return families.length === 0 ? [first] : families;
  return [first, first === 'IPv4' ? 'IPv6' : 'IPv4'];
}

function withAllocated(spec: JsonObject, allocation: Allocation): JsonObject {
  const [given = '', ...others] = strings(spec, 'clusterIPs');
  if (given === 'None') return spec;
  const taken = takenAddresses(allocation);
  if (given !== '') {
    refuse(allocation, addressErrors(spec, given, taken, allocation.cluster));
    return spec;
  }
  const { store, random } = allocation.cluster;
  const address = freeAddress(rangesOf(store), taken, random);
  if (address === undefined) throw failure(500, 'InternalError', fullMessage);
  return { ...spec, clusterIP: address, clusterIPs: [address, ...others] };
}

const fullMessage = 'Internal error occurred: failed to allocate a serviceIP: range is full';

function takenAddresses({ cluster, uid }: Allocation): ReadonlySet<string> {
  const others = cluster.store
    .list('services')
    .filter(([, service]) => text(service, 'metadata', 'uid') !== uid);
  return new Set(others.map(([, service]) => text(service, 'spec', 'clusterIP')));
}

function addressErrors(
  spec: JsonObject,
  address: string,
  taken: ReadonlySet<string>,
  { store, dryRun }: Cluster,
): readonly FieldError[] {
  const range = dryRun
    ? `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${defaultRange}`
    : 'the provided network does not match the current range';
  const why = contains(rangesOf(store), address)
    ? taken.has(address)
      ? 'provided IP is already allocated'
      : undefined
    : range;
  if (why === undefined) return [];
  const detail = `failed to allocate IP ${address}: ${why}`;
  return [invalidValue('spec.clusterIPs', own(spec, 'clusterIPs') ?? null, detail)];
}
