/** Changes of users, and the writes of an operator to which they lead. Pure. */
import { equal, type Json } from '@kgen/schema/values/json';
import type { SimulatedWrite } from '../coverage.ts';
import { causes, isFault, type UserAction, type WriteCause } from './actions.ts';
import { kindOf, type UserEdit } from './edits.ts';
import type { FieldPath, Step } from './schedule.ts';

/** A change by a user. */
export interface UserChange {
  readonly do: UserAction;
  /** Kind of the object with its version; empty for all objects. */
  readonly kind: string;
  /** The member that is changed; empty for other changes. */
  readonly path: FieldPath;
  /** Its new value, which a detour changes back; `null` for other changes. */
  readonly value: Json;
}

/** A write of the operator, the kind of change to which it reacts, and such changes. */
export interface CausedWrite {
  readonly write: SimulatedWrite;
  readonly cause: WriteCause;
  readonly changes: readonly UserChange[];
}

/** The deletion of all objects at the end of a run. */
export const deletionOfAll: UserChange = { do: 'delete', kind: '', path: [], value: null };

/** Returns the change by a step; `undefined` for a fault. */
export function changeOf(step: Step): UserChange | undefined {
  if (isFault(step)) return undefined;
  const { path, value } = 'path' in step ? step : { path: [], value: null };
  const kind = 'object' in step ? kindOf(step.object) : kindOf({ ...step.target });
  return { do: step.do, kind, path, value };
}

/** Returns the kind of change by a step; `undefined` for a fault. */
export function causeOf(step: Step): WriteCause | undefined {
  return isFault(step) ? undefined : causes[step.do];
}

/** Returns whether a step leads to a write, as far as it is known. */
export function leadsTo(step: Step, { cause, changes }: Omit<CausedWrite, 'write'>): boolean {
  const change = changeOf(step);
  if (change === undefined || causeOf(step) !== cause) return false;
  return (
    changes.length === 0 ||
    changes.some(
      ({ kind, path, value }) => kind === '' || (kind === change.kind && isEdit({ path, value }, change)),
    )
  );
}

/** Returns whether two changes set the same member to the same value. */
export function isEdit({ path, value }: UserEdit, other: UserEdit): boolean {
  return equal([...path], [...other.path]) && equal(value, other.value);
}
