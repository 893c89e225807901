/** Warnings about services. */
import { array, type JsonObject, object, own, text } from '@kgen/schema/values/json';

/** Returns the warnings of a create or an update. */
export function serviceWarnings(value: JsonObject): readonly string[] {
  const spec = object(value, 'spec');
  const [type, hasAddresses] = [text(spec, 'type'), array(spec, 'externalIPs').length > 0];
  const isExternal = type === 'ExternalName';
  const isHeadless = type === 'ClusterIP' && text(spec, 'clusterIP') === 'None';
  const checks: readonly (readonly [boolean, string])[] = [
    [own(object(value, 'metadata', 'annotations'), hints) !== undefined, deprecatedHints],
    [
      isHeadless && text(spec, 'loadBalancerIP') !== '',
      'spec.loadBalancerIP is ignored for headless services',
    ],
    [isHeadless && hasAddresses, 'spec.externalIPs is ignored for headless services'],
    [
      isHeadless && text(spec, 'sessionAffinity') !== 'None',
      'spec.SessionAffinity is ignored for headless services',
    ],
    [
      hasAddresses && !isHeadless && !isExternal,
      'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    ],
    [isExternal && hasAddresses, 'spec.externalIPs is ignored when spec.type is "ExternalName"'],
    [
      !isExternal && text(spec, 'externalName') !== '',
      'spec.externalName is ignored when spec.type is not "ExternalName"',
    ],
    [
      text(spec, 'trafficDistribution') === 'PreferClose',
      'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"',
    ],
  ];
  return checks.filter(([isTrue]) => isTrue).map(([, message]) => message);
}

const hints = 'service.kubernetes.io/topology-aware-hints';

const deprecatedHints = `annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`;
