/** Validation of cluster IPs, families and their policy. */
import { type FieldError, invalidValue, notSupported, required } from '@kgen/runtime/objects';
import { array, equal, type JsonObject, own, strings, text } from '@kgen/schema/values/json';
import { oneOf, optional, valid } from '../support/checks.ts';
import { addressProblem, isAddress } from '../support/names.ts';
import { familyOf, isExternal, isHeadless } from './spec.ts';

/** Returns the errors of cluster IPs, families and policy, which must agree. */
export function relatedErrors(spec: JsonObject): readonly FieldError[] {
  if (isExternal(spec)) return [];
  const addresses = strings(spec, 'clusterIPs');
  const invalid = addresses.flatMap((address, index) =>
    index === 0 && address === 'None' ? [] : valid(addressProblem)(address, `spec.clusterIPs[${index}]`),
  );
  const isMixed = addresses[0] === 'None' && addresses.length > 1;
  return [
    ...singleErrors(spec, addresses),
    ...familyErrors(spec),
    ...optional(oneOf('PreferDualStack', 'RequireDualStack', 'SingleStack'))(
      own(spec, 'ipFamilyPolicy'),
      'spec.ipFamilyPolicy',
    ),
    ...(isMixed ? [listError(addresses, "'None' must be the first and only value")] : []),
    ...invalid,
    ...(addresses.length > 2 ? [listError(addresses, 'may only hold up to 2 values')] : []),
    ...(isMixed || invalid.length > 0 ? [] : pairErrors(spec, addresses)),
  ];
}

function listError(addresses: readonly string[], detail: string): FieldError {
  return invalidValue('spec.clusterIPs', addresses, detail);
}

function singleErrors(spec: JsonObject, addresses: readonly string[]): readonly FieldError[] {
  const address = text(spec, 'clusterIP');
  if (address === '')
    return addresses.length === 0
      ? []
      : [listError(addresses, 'must be empty when `clusterIP` is not specified')];
  if (addresses.length === 0) return [required('spec.clusterIPs')];
  return addresses[0] === address ? [] : [listError(addresses, 'first value must match `clusterIP`')];
}

function familyErrors(spec: JsonObject): readonly FieldError[] {
  const families = array(spec, 'ipFamilies');
  return families.flatMap((family, index): readonly FieldError[] => {
    const field = `spec.ipFamilies[${index}]`;
    return [
      ...(family === 'IPv4' || family === 'IPv6' ? [] : [notSupported(field, family, ['IPv4', 'IPv6'])]),
      ...(families.indexOf(family) < index
        ? [{ reason: 'FieldValueDuplicate', field, value: family } as const]
        : []),
    ];
  });
}

function pairErrors(spec: JsonObject, addresses: readonly string[]): readonly FieldError[] {
  const families = strings(spec, 'ipFamilies');
  const isDual = new Set(addresses.map(familyOf)).size === 2;
  const detail = 'may specify no more than one IP for each IP family';
  const matched = isHeadless(spec) ? [] : addresses.slice(0, families.length);
  return [
    ...(addresses.length > 1 && !isDual ? [listError(addresses, detail)] : []),
    ...matched.flatMap((address, index) => {
      const family = families[index] ?? '';
      const expected = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
      return isAddress(address) && familyOf(address) !== family
        ? [invalidValue(`spec.clusterIPs[${index}]`, address, expected)]
        : [];
    }),
  ];
}

/** Returns the errors of an update that changes addresses or families of a service with cluster IPs. */
export function addressChanges(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  if (isExternal(spec) || isExternal(before)) return [];
  return [
    ...(isHeadless(spec) && isHeadless(before) ? [] : changedAddresses(spec, before)),
    ...(isHeadless(spec) || isHeadless(before) ? [] : changedFamilies(spec, before)),
  ];
}

const fixed = 'may not change once set';

function changedAddresses(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const [now, then] = [strings(spec, 'clusterIPs'), strings(before, 'clusterIPs')];
  const at = (index: number, detail: string): FieldError =>
    invalidValue(`spec.clusterIPs[${index}]`, now.length === 0 ? null : now, detail);
  if (now.length === then.length)
    return then.flatMap((address, index) => (address === now[index] ? [] : [at(index, fixed)]));
  if (now.length === 0) return [at(0, 'primary clusterIP can not be unset')];
  return [
    ...(then.length > 0 && now[0] !== then[0] ? [at(0, fixed)] : []),
    ...(now.length < then.length ? released(spec, 'clusterIP') : []),
  ];
}

function released(spec: JsonObject, what: string): readonly FieldError[] {
  const policy = own(spec, 'ipFamilyPolicy') ?? null;
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return policy === 'SingleStack' ? [] : [invalidValue('spec.ipFamilyPolicy', policy, detail)];
}

function changedFamilies(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const [now, then] = [strings(spec, 'ipFamilies'), strings(before, 'ipFamilies')];
  const at = (value: readonly string[]): FieldError => invalidValue('spec.ipFamilies[0]', value, fixed);
  if (now.length === then.length) return equal(now, then) ? [] : [at(now)];
  const isFirst = now.length > 0 && then.length > 0 && now[0] !== then[0];
  return [
    ...(isFirst ? [at(strings(spec, 'clusterIPs'))] : []),
    ...(now.length === 1 && then.length > 1 ? released(spec, 'ipFamily') : []),
  ];
}
