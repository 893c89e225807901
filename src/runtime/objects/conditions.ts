/**
 * Lists of conditions, as `status.conditions` has them. Each function takes the list, absent or not; what changes it
 * returns a new list, or the same one where nothing changes.
 */
import { sameInteger } from '../integers/records.ts';
import { listOr } from './metadata.ts';

/** The least that all conditions have in common, those of built-in kinds too. */
export interface AnyCondition {
  type: string;
  status: string;
  reason?: string | undefined;
  message?: string | undefined;
  lastTransitionTime?: string | undefined;
  observedGeneration?: number | undefined;
}

/** A condition as it is set: `lastTransitionTime` may be left to `setCondition`. */
export type ConditionToSet<C extends AnyCondition> = Omit<C, 'lastTransitionTime'> &
  Pick<C, 'type' | 'status'> & { lastTransitionTime?: string | undefined };

/** The condition of this type, if there is one. */
export function findCondition<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  type: C['type'],
): C | undefined {
  return listed(conditions).find((condition) => condition?.type === type) ?? undefined;
}

/** Whether there is a condition of this type with the status `True`. */
export function isConditionTrue<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  type: C['type'],
): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/** Whether there is a condition of this type with the status `False`. An absent one is neither true nor false. */
export function isConditionFalse<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  type: C['type'],
): boolean {
  return findCondition(conditions, type)?.status === 'False';
}

/** Options of `setCondition`. */
export interface SetConditionOptions {
  /** The time of a change. Default: now. */
  readonly now?: Date | undefined;
}

/**
 * The list with this condition in place of the one of its type, or at the end. `lastTransitionTime` is kept while the
 * status stays the same; when it changes, it is the given one or now. Everything else is as given: a reason or message
 * that is left out is gone. The same list if nothing differs, so that `===` tells whether to write the status.
 */
export function setCondition<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  condition: ConditionToSet<C>,
  options: SetConditionOptions = {},
): C[] {
  const list = listed(conditions);
  const old = findCondition(list, condition.type);
  const lastTransitionTime =
    old?.status === condition.status && old.lastTransitionTime
      ? old.lastTransitionTime
      : (condition.lastTransitionTime ?? wholeSeconds(options.now ?? new Date()));
  // What is a C but for the time is a C once it has the time.
  const next = { ...condition, lastTransitionTime } as unknown as C;
  if (old === undefined) return [...list, next];
  // The promise of "the same list" is about identity; what is not changed is not made readonly by it.
  if (isSame(old, next)) return list as C[];
  return list.map((candidate) => (candidate === old ? next : candidate));
}

/** The list without the condition of this type. The same list if there is none such. */
export function removeCondition<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  type: C['type'],
): C[] {
  const list = listed(conditions);
  const rest = list.filter((condition) => condition?.type !== type);
  // As in `setCondition`.
  return rest.length === list.length ? (list as C[]) : rest;
}

/** The wire: where a schema leaves the status open, it may be no list, and its entries no objects. */
function listed<C>(conditions: readonly C[] | null | undefined): readonly C[] {
  return listOr(conditions);
}

/** RFC 3339 without fraction digits, as the server stores times. */
function wholeSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

function isSame(a: AnyCondition, b: AnyCondition): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameInteger(a, key, b, key) ?? Reflect.get(a, key) === Reflect.get(b, key));
}
