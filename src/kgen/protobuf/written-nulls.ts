/** Members of built-in types that API servers write as `null`. */
import type { Field, FieldTable } from './types.ts';

/**
 * Returns whether JSON has `null` for the zero value of a field: nil slices, maps, pointers and bytes that
 * are not omitted, and structs whose own encoding of zero is `null`, which `omitempty` does not omit.
 */
export function isNullIfZero({ shape, element, omission }: Field): boolean {
  if (shape !== 'value') return omission === 'never';
  if ('scalar' in element) return element.scalar === 'bytes' && omission === 'never';
  return 'special' in element && !textual.has(element.special) && omission !== 'omitzero';
}

/** Types whose zero value is a string or a number in JSON. */
const textual: ReadonlySet<string> = new Set(['Duration', 'IntOrString', 'Quantity']);

/**
 * Returns whether an API server may write `null` for a member of a built-in type, because Go does so for the
 * zero value. Required members are validated, so that only those of `accepted` may be zero.
 *
 * @param message key in the table: `core/v1.PodCondition`
 */
export function mayBeNull(table: FieldTable, message: string, member: string, isRequired: boolean): boolean {
  const field = fieldOf(table, message, member);
  if (field === undefined || !isNullIfZero(field)) return false;
  const name = `${message.replace(/\/v[0-9a-z]+\./, '.')}.${member}`;
  return isRequired ? accepted.has(name) : !settled.has(name);
}

/** Required members that servers accept, and write, as `null`. The same in every version of a group. */
const accepted: ReadonlySet<string> = new Set([
  'batch.PodFailurePolicy.rules',
  'core.LimitRangeSpec.limits',
  'core.ScaleIOPersistentVolumeSource.secretRef',
  'core.ScaleIOVolumeSource.secretRef',
  'events.k8s.io.Event.eventTime',
  'events.k8s.io.EventSeries.lastObservedTime',
  'storage.k8s.io.CSINodeSpec.drivers',
]);

/** Optional members that servers require, set to a default, or compute. */
const settled: ReadonlySet<string> = new Set([
  'apiextensions.k8s.io.CustomResourceDefinitionStatus.storedVersions',
  'apps.ControllerRevision.data',
  'authentication.k8s.io.TokenRequestSpec.audiences',
  'authentication.k8s.io.TokenRequestSpec.expirationSeconds',
  'authentication.k8s.io.TokenRequestStatus.expirationTimestamp',
  'certificates.k8s.io.CertificateSigningRequestCondition.lastTransitionTime',
  'certificates.k8s.io.CertificateSigningRequestCondition.lastUpdateTime',
  'core.GRPCAction.service',
  'flowcontrol.apiserver.k8s.io.LimitedPriorityLevelConfiguration.nominalConcurrencyShares',
  'networking.k8s.io.IngressClassParametersReference.scope',
]);

/** Returns the field of a member, which may be that of an inlined message. */
function fieldOf({ messages }: FieldTable, message: string, member: string): Field | undefined {
  const { fields = [] } = messages.get(message) ?? {};
  const own = fields.find(({ json }) => json === member);
  if (own !== undefined) return own;
  for (const { json, element } of fields) {
    if (json !== undefined || !('message' in element)) continue;
    const inlined = fieldOf({ messages, kinds: [] }, element.message, member);
    if (inlined !== undefined) return inlined;
  }
  return undefined;
}
