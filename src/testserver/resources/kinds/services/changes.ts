/** Updates of services: fields that a change of the type clears, and changes that are refused. */
import { type FieldError, forbiddenField, invalidValue } from '@kgen/runtime/objects';
import {
  array,
  equal,
  isObject,
  type Json,
  type JsonObject,
  mapped,
  object,
  omit,
  own,
  replace,
  text,
} from '@kgen/schema/values/json';
import type { KindWrite } from '../support/rules.ts';
import { addressChanges } from './address-errors.ts';
import { sameAddresses, sameFamilies } from './addresses.ts';
import { isBalanced, isExposed, isExternal, isReachable, needsHealthPort } from './spec.ts';

/** Removes fields that the new type does not have, unless the update changes them, too. */
export function withoutUnusedFields(spec: JsonObject, before: JsonObject): JsonObject {
  const isSame = (key: string): boolean => equal(own(spec, key), own(before, key));
  const isReleased = !isExternal(before) && isExternal(spec);
  const clears = (predicate: (spec: JsonObject) => boolean): boolean => predicate(before) && !predicate(spec);
  const unused = new Set([
    ...(isReleased && isSame('clusterIP') && sameAddresses(spec, before) ? ['clusterIP', 'clusterIPs'] : []),
    ...(isReleased && sameFamilies(spec, before) ? ['ipFamilies'] : []),
    ...(isReleased && isSame('ipFamilyPolicy') ? ['ipFamilyPolicy'] : []),
    ...(clears(needsHealthPort) && isSame('healthCheckNodePort') ? ['healthCheckNodePort'] : []),
    ...(clears(isBalanced) ? ['allocateLoadBalancerNodePorts', 'loadBalancerClass'].filter(isSame) : []),
    ...(clears(isReachable) && isSame('externalTrafficPolicy') ? ['externalTrafficPolicy'] : []),
  ]);
  return withoutNodePorts(
    mapped(spec, (key, item) => (unused.has(key) ? undefined : item)),
    before,
  );
}

function withoutNodePorts(spec: JsonObject, before: JsonObject): JsonObject {
  const nodePorts = (of: JsonObject): readonly Json[] =>
    array(of, 'ports').map((port) => own(port, 'nodePort') ?? 0);
  const known = new Set<Json>([0, ...nodePorts(before)]);
  const isKnown = nodePorts(spec).every((port) => known.has(port));
  if (isExposed(spec) || !isExposed(before) || !isKnown) return spec;
  const ports = array(spec, 'ports').map((port) => (isObject(port) ? omit(port, 'nodePort') : port));
  return own(spec, 'ports') === undefined ? spec : replace(spec, 'ports', ports);
}

/** Returns the errors of changes that are refused. */
export function updateErrors({ value, old }: KindWrite): readonly FieldError[] {
  const [spec, before] = [object(value, 'spec'), object(old, 'spec')];
  const [name, previous] = [text(spec, 'loadBalancerClass'), text(before, 'loadBalancerClass')];
  const isChecked = needsHealthPort(spec) && needsHealthPort(before);
  return [
    ...addressChanges(spec, before),
    ...(isBalanced(spec) && isBalanced(before) && name !== previous
      ? [
          invalidValue(
            'spec.loadBalancerClass',
            own(spec, 'loadBalancerClass') ?? null,
            'may not change once set',
          ),
        ]
      : []),
    ...(isChecked && !equal(own(spec, 'healthCheckNodePort'), own(before, 'healthCheckNodePort'))
      ? [forbiddenField('spec.healthCheckNodePort', 'field is immutable')]
      : []),
  ];
}
