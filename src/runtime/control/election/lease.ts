/** Leases of leader elections, `coordination.k8s.io/v1`. */

import { DecodeError } from '../../api/errors.ts';
import { microTime } from '../../api/micro-time.ts';
import { isFields } from '../../common/fields.ts';

/** Members of `spec` that an election reads and writes. Others are preserved. */
export interface LeaseSpec {
  readonly holderIdentity?: string | undefined;
  readonly leaseDurationSeconds?: number | undefined;
  readonly acquireTime?: string | undefined;
  readonly renewTime?: string | undefined;
  readonly leaseTransitions?: number | undefined;
  readonly strategy?: string | undefined;
  readonly preferredHolder?: string | undefined;
}

/** A Lease object, as the API server returns it. */
export interface LeaseObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly spec?: LeaseSpec | undefined;
}

/** State of a lease. */
export interface LeaseRecord {
  /** Identity of the holder; empty if the lease is free. */
  readonly holder: string;
  /** Time after its last observed change at which the lease expires. */
  readonly durationMs: number;
  /** Number of changes of the holder. */
  readonly transitions: number;
  /** Identity to which the holder of a coordinated lease must hand it over; empty if there is none. */
  readonly preferredHolder: string;
  /** Members whose changes prolong the lease, for comparisons. */
  readonly version: string;
  /** The object, for the next write. */
  readonly object: LeaseObject;
}

/** Change of a lease by an election. */
export type LeaseChange =
  | { readonly type: 'acquire'; readonly transitions: number }
  | { readonly type: 'renew' }
  | { readonly type: 'release' };

/**
 * Returns the state of a lease in a response.
 * @throws {DecodeError} if the response is not a lease
 */
export function leaseRecord(response: unknown): LeaseRecord {
  if (!isLease(response)) throw new DecodeError('the response is not a Lease');
  const spec = response.spec ?? {};
  const { holderIdentity, leaseDurationSeconds, preferredHolder, leaseTransitions } = spec;
  return {
    holder: holderIdentity ?? '',
    durationMs: (leaseDurationSeconds ?? 0) * 1000,
    transitions: leaseTransitions ?? 0,
    preferredHolder: preferredHolder ?? '',
    version: JSON.stringify([
      holderIdentity,
      leaseDurationSeconds,
      spec.acquireTime,
      spec.renewTime,
      leaseTransitions,
      spec.strategy,
      preferredHolder,
    ]),
    object: response,
  };
}

function isLease(value: unknown): value is LeaseObject {
  if (!isFields(value) || !isFields(value['metadata'])) return false;
  const spec = value['spec'] ?? {};
  if (!isFields(spec)) return false;
  const strings = [spec['holderIdentity'], spec['preferredHolder']];
  const numbers = [spec['leaseDurationSeconds'], spec['leaseTransitions']];
  return (
    strings.every((one) => typeof (one ?? '') === 'string') &&
    numbers.every((one) => Number.isSafeInteger(one ?? 0))
  );
}

/** Identity and place of a lease. */
export interface LeaseTarget {
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
}

/** Returns the object of a write. `base` is the last observed object; without it, the lease is created. */
export function changedLease(
  base: LeaseObject | undefined,
  change: LeaseChange,
  target: LeaseTarget,
  wallMs: number,
): LeaseObject {
  const { name, namespace } = target;
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    ...base,
    metadata: base?.metadata ?? { name, namespace },
    spec: changedSpec(base?.spec ?? {}, change, target, microTime(new Date(wallMs))),
  };
}

function changedSpec(
  spec: LeaseSpec,
  change: LeaseChange,
  { identity, leaseDurationMs }: LeaseTarget,
  now: string,
): LeaseSpec {
  if (change.type === 'release') {
    return { ...spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: now, acquireTime: now };
  }
  const held: LeaseSpec = {
    ...spec,
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
    renewTime: now,
  };
  if (change.type === 'renew') return held;
  const { preferredHolder: _, ...acquired } = held;
  return { ...acquired, acquireTime: now, leaseTransitions: change.transitions };
}
