/** Leases of the members of a ring, `coordination.k8s.io/v1`. Pure. */

import { isObject } from '../members.ts';
import type { LeaseContent } from './ring-types.ts';
import { allSlots, noSlots, type ShardField, type SlotSet, slotsOfText, slotText } from './slots.ts';

/** Label of all Leases of a ring: its name. */
export const ringLabel = 'sharding.kgen.dev/ring';
const claimsAnnotation = 'sharding.kgen.dev/claims';
const fieldAnnotation = 'sharding.kgen.dev/field';
const processAnnotation = 'sharding.kgen.dev/process';
const leavingAnnotation = 'sharding.kgen.dev/leaving';

/** A Lease object, as the API server returns it. Other members are preserved. */
export interface LeaseObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: LeaseMetadata;
  readonly spec?: Readonly<Record<string, unknown>>;
}

interface LeaseMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** State of a member's Lease. */
export interface MemberLease {
  readonly name: string;
  /** Identity of the member; empty if it has left the ring. */
  readonly identity: string;
  /** Process that has written it. */
  readonly process: string;
  /** Slots that the member may own. */
  readonly claims: SlotSet;
  readonly isLeaving: boolean;
  /** Time after its last observed change at which the Lease expires. */
  readonly durationMs: number;
  /** Version of the object. */
  readonly version: string;
  /** The object, for the next write. */
  readonly object: LeaseObject;
}

/**
 * Returns the state of a Lease. Claims that cannot be read, or were computed from another field of the keys,
 * count as claims of all slots.
 * @throws {TypeError} if the response is not a Lease
 */
export function memberLease(response: unknown, field: ShardField): MemberLease {
  if (!isLease(response)) throw new TypeError('the response is not a Lease');
  const { metadata, spec = {} } = response;
  const { annotations = {}, name, resourceVersion = '' } = metadata;
  const { holderIdentity, leaseDurationSeconds } = spec;
  const identity = typeof holderIdentity === 'string' ? holderIdentity : '';
  const isSameField = identity === '' || annotations[fieldAnnotation] === field;
  return {
    name,
    identity,
    process: annotations[processAnnotation] ?? '',
    claims: isSameField ? slotsOfText(annotations[claimsAnnotation]) : allSlots,
    isLeaving: annotations[leavingAnnotation] === 'true',
    durationMs: typeof leaseDurationSeconds === 'number' ? leaseDurationSeconds * 1000 : 0,
    version: resourceVersion,
    object: response,
  };
}

function isLease(value: unknown): value is LeaseObject {
  if (!isObject(value)) return false;
  const { metadata, spec } = value;
  return isObject(metadata) && typeof metadata['name'] === 'string' && (spec === undefined || isObject(spec));
}

/** Identity and place of a member's Lease. */
export interface LeasePlace {
  readonly ring: string;
  readonly lease: string;
  readonly namespace: string;
  readonly identity: string;
  readonly process: string;
  readonly field: ShardField;
  readonly leaseDurationMs: number;
}

/** Returns the object of a write. `base` is the last read object; without it, the Lease is created. */
export function writtenLease(
  base: LeaseObject | undefined,
  content: LeaseContent,
  place: LeasePlace,
  now: string,
): LeaseObject {
  const { ring, lease, namespace } = place;
  const metadata = base?.metadata ?? { name: lease, namespace };
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [ringLabel]: ring },
      annotations: { ...metadata.annotations, ...annotationsOf(content, place) },
    },
    spec: specOf(base?.spec ?? {}, content, place, now),
  };
}

/** Returns the Lease of another member without its claims. */
export function releasedLease({ metadata, spec, ...rest }: LeaseObject, now: string): LeaseObject {
  return {
    ...rest,
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, [claimsAnnotation]: slotText(noSlots) },
    },
    spec: { ...spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: now },
  };
}

function annotationsOf(
  { claims, isLeaving }: LeaseContent,
  { field, process }: LeasePlace,
): Record<string, string> {
  return {
    [claimsAnnotation]: slotText(claims),
    [fieldAnnotation]: field,
    [processAnnotation]: process,
    [leavingAnnotation]: String(isLeaving),
  };
}

function specOf(
  spec: Readonly<Record<string, unknown>>,
  { isReleased }: LeaseContent,
  { identity, leaseDurationMs }: LeasePlace,
  now: string,
): Readonly<Record<string, unknown>> {
  const leaseDurationSeconds = isReleased ? 1 : Math.ceil(leaseDurationMs / 1000);
  return {
    acquireTime: now,
    ...spec,
    holderIdentity: isReleased ? '' : identity,
    leaseDurationSeconds,
    renewTime: now,
  };
}
