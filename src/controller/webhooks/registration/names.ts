/** Names of webhooks in configurations. */

import { type RegisteredAdmission, subresourceOf } from '../declarations/registered.ts';

/**
 * Returns the name of a webhook: that of its options, or of verb, kind, subresource and group. Groups of one
 * label end with `.k8s.io`, as names have at least three labels.
 */
export function webhookName(declaration: RegisteredAdmission): string {
  const { type, resource, options } = declaration;
  if (options.name !== undefined) return options.name;
  const subject = [type, resource.kind.toLowerCase(), ...subresourceOf(declaration)].join('-');
  const group = resource.group === '' ? 'core' : resource.group;
  return `${subject}.${group.includes('.') ? group : `${group}.k8s.io`}`;
}
