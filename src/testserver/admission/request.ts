/** AdmissionRequest of a write, for webhooks and admission policies. */
import type { JsonObject } from '@kgen/schema/values/json';
import type { ResourceType } from '../resources/type.ts';
import { type Attributes, kindOf } from './attributes.ts';

/**
 * Returns the AdmissionRequest of a write without its objects and uid, for an object in the version of
 * `type`.
 */
export function requestOf(attributes: Attributes, type: ResourceType): JsonObject {
  const { context, kind, operation, name, dryRun, options } = attributes;
  const { user } = context.request;
  const requested = context.type;
  const isPart = kind.kind !== requested.kind;
  return {
    kind: { ...(isPart ? kind : kindOf(type)) },
    resource: { group: type.group, version: type.version, resource: type.plural },
    ...(context.subresource === '' ? {} : { subResource: context.subresource }),
    requestKind: { ...kind },
    requestResource: { group: requested.group, version: requested.version, resource: requested.plural },
    ...(context.subresource === '' ? {} : { requestSubResource: context.subresource }),
    ...(name === '' ? {} : { name }),
    ...(context.namespace === '' ? {} : { namespace: context.namespace }),
    operation,
    userInfo: {
      username: user.name,
      groups: user.groups,
      ...(user.uid === undefined ? {} : { uid: user.uid }),
      ...(user.extra === undefined ? {} : { extra: { ...user.extra } }),
    },
    dryRun,
    options,
  };
}
