/**
 * Lists of conditions, as in `status.conditions`. Each function accepts an absent list. Functions that change
 * the list return a new list, or the same one if nothing changes.
 */
import { sameInteger } from '../codec/integers/records.ts';
import { listOr } from './metadata.ts';

/** Members that all conditions have in common, including those of built-in kinds. */
export interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly lastTransitionTime?: string | null | undefined;
  readonly observedGeneration?: number | undefined;
}

/** A condition to set. `lastTransitionTime` may be omitted. */
export type ConditionToSet<C extends AnyCondition> = Omit<C, 'lastTransitionTime'> &
  Pick<C, 'type' | 'status'> & { readonly lastTransitionTime?: string | null | undefined };

/** Returns the condition of a type, or `undefined`. */
export function findCondition<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  type: C['type'],
): C | undefined {
  return listed(conditions).find((condition) => condition?.type === type) ?? undefined;
}

/** Returns whether there is a condition of this type with the status `True`. */
export function isConditionTrue<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  type: C['type'],
): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/**
 * Returns whether there is a condition of this type with the status `False`. An absent condition is neither
 * true nor false.
 */
export function isConditionFalse<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  type: C['type'],
): boolean {
  return findCondition(conditions, type)?.status === 'False';
}

/** Options of `setCondition`. */
export interface SetConditionOptions {
  /** Time for `lastTransitionTime`, if the status changes. Default: the current time. */
  readonly now?: Date | undefined;
}

/** Returns a list with this condition, whose type is that of the condition, from an empty literal. */
export function setCondition<const C extends AnyCondition>(
  conditions: readonly never[],
  condition: C,
  options?: SetConditionOptions,
): (C & { readonly lastTransitionTime: string })[];
/**
 * Returns the list with this condition in place of the one of its type, or at the end. If the status is
 * unchanged, `lastTransitionTime` is kept; otherwise it is that of the condition, or the current time. All
 * other members are replaced, so an omitted reason or message is removed. Returns the same list if nothing
 * differs, so that `===` shows whether the status has to be written.
 * @example
 * ```ts
 * import { setCondition } from '@kgen/runtime/objects';
 *
 * const nodes = clientset.coreV1.nodes();
 * const { metadata, status } = await nodes.get('node-1');
 * const pressure = { type: 'DiskPressure', status: 'False', reason: 'EnoughSpace' };
 * const conditions = setCondition(status?.conditions, pressure);
 * if (conditions !== status?.conditions) await nodes.patchStatus(metadata.name, { status: { conditions } });
 * ```
 */
export function setCondition<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  condition: ConditionToSet<C>,
  options?: SetConditionOptions,
): C[];
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
  // The result is a C, because only the time was missing.
  const next = { ...condition, lastTransitionTime } as unknown as C;
  if (old === undefined) return [...list, next];
  // The list is returned by identity; the parameter is readonly only because it is not modified.
  if (isSame(old, next)) return list as C[];
  return list.map((candidate) => (candidate === old ? next : candidate));
}

/** Returns the list without the condition of this type. Returns the same list if there is none. */
export function removeCondition<C extends AnyCondition>(
  conditions: readonly C[] | null | undefined,
  type: C['type'],
): C[] {
  const list = listed(conditions);
  const rest = list.filter((condition) => condition?.type !== type);
  // As in `setCondition`.
  return rest.length === list.length ? (list as C[]) : rest;
}

/**
 * If a schema does not restrict the status, its conditions may not be a list, and their entries may not be
 * objects.
 */
function listed<C>(conditions: readonly C[] | null | undefined): readonly C[] {
  return listOr(conditions);
}

/** Returns RFC 3339 without fraction digits, the format of stored times. */
function wholeSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}

function isSame(a: AnyCondition, b: AnyCondition): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameInteger(a, key, b, key) ?? Reflect.get(a, key) === Reflect.get(b, key));
}
