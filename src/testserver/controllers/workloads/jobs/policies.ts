/** Rules of Jobs about pods that fail, and about indexes that suffice. */
import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import { isDeleting, nameOf, namespaceOf } from '../../../store/object-facts.ts';
import { latest, number } from '../values.ts';
import { type Intervals, intersection, parseIndexes, total } from './indexes.ts';

/** Effect of a failed pod by the policy of its Job. */
export interface FailureEffect {
  /** The action of the rule that matches. Empty without one. */
  readonly action: string;
  /** Whether the pod counts for the limits of failures. */
  readonly counts: boolean;
  /** The reason why the whole Job fails. `undefined` if it does not. */
  readonly message: string | undefined;
}

/** Returns the effect of a failed pod. */
export function failureEffect(job: JsonObject, pod: JsonObject): FailureEffect {
  for (const [index, rule] of array(job, 'spec', 'podFailurePolicy', 'rules').entries()) {
    const action = text(rule, 'action');
    const cause = causeOf(rule, pod);
    if (cause === undefined) continue;
    const message = `${cause} matching ${action} rule at index ${index}`;
    return { action, counts: action !== 'Ignore', message: action === 'FailJob' ? message : undefined };
  }
  return { action: '', counts: true, message: undefined };
}

/** Returns the description of the part of a pod that a rule matches. */
function causeOf(rule: Json, pod: JsonObject): string | undefined {
  const codes = own(rule, 'onExitCodes');
  const id = `${namespaceOf(pod)}/${nameOf(pod)}`;
  if (codes !== undefined) {
    const found = ['containerStatuses', 'initContainerStatuses']
      .flatMap((key) => array(pod, 'status', key))
      .find((status) => matchesCode(codes, status));
    if (found === undefined) return undefined;
    const code = exitCodeOf(found);
    return `Container ${text(found, 'name')} for pod ${id} failed with exit code ${code}`;
  }
  const patterns = array(rule, 'onPodConditions');
  const found = array(pod, 'status', 'conditions').find((condition) =>
    patterns.some((pattern) =>
      ['type', 'status'].every((key) => text(pattern, key) === text(condition, key)),
    ),
  );
  return found === undefined ? undefined : `Pod ${id} has condition ${text(found, 'type')}`;
}

function exitCodeOf(status: Json): number {
  return number(status, 0, 'state', 'terminated', 'exitCode');
}

function matchesCode(requirement: Json, status: Json): boolean {
  const name = text(requirement, 'containerName');
  const code = exitCodeOf(status);
  if (code === 0 || (name !== '' && name !== text(status, 'name'))) return false;
  const isListed = array(requirement, 'values').includes(code);
  const operator = text(requirement, 'operator');
  return operator === 'In' ? isListed : operator === 'NotIn' && !isListed;
}

/** Returns whether a Job replaces pods only after they ended, not when their deletion begins. */
export function waitsForEnds(job: JsonObject): boolean {
  const spec = object(job, 'spec');
  return text(spec, 'podReplacementPolicy') === 'Failed' || own(spec, 'podFailurePolicy') !== undefined;
}

/** Returns whether a pod failed, or counts as failed because it is being deleted. */
export function hasFailed(job: JsonObject, pod: JsonObject): boolean {
  const phase = text(pod, 'status', 'phase');
  return phase === 'Failed' || (!waitsForEnds(job) && isDeleting(pod) && phase !== 'Succeeded');
}

/** Returns the message of the rule of the success policy that the indexes meet. */
export function successMessage(job: JsonObject, succeeded: Intervals): string | undefined {
  if (succeeded.length === 0) return undefined;
  const completions = number(job, 0, 'spec', 'completions');
  const met = array(job, 'spec', 'successPolicy', 'rules').findIndex((rule) => {
    const count = own(rule, 'succeededCount');
    const isEnough = (indexes: Intervals): boolean => typeof count === 'number' && total(indexes) >= count;
    if (own(rule, 'succeededIndexes') === undefined) return isEnough(succeeded);
    const required = parseIndexes(text(rule, 'succeededIndexes'), completions);
    const reached = intersection(required, succeeded);
    return required.length > 0 && (total(reached) === total(required) || isEnough(reached));
  });
  return met === -1 ? undefined : `Matched rules at index ${met}`;
}

/** Delay before the pod after the first failure is created; doubled with every failure. */
const firstBackoffMs = 10_000;
const longestBackoffMs = 600_000;

/** Returns the milliseconds that a replacement has to wait after `failures` in a row. */
export function backoffLeft(failures: number, lastEnd: number, now: number): number {
  if (failures === 0) return 0;
  return Math.max(0, lastEnd + Math.min(firstBackoffMs * 2 ** (failures - 1), longestBackoffMs) - now);
}

/** Returns the time at which a pod ended, in milliseconds since the epoch. */
export function endOf(pod: JsonObject): number {
  const ends = array(pod, 'status', 'containerStatuses').map((status) =>
    Date.parse(text(status, 'state', 'terminated', 'finishedAt')),
  );
  if (ends.length > 0 && ends.every((time) => !Number.isNaN(time))) return latest(ends);
  const unready = array(pod, 'status', 'conditions').find(
    (condition) => text(condition, 'type') === 'Ready' && text(condition, 'status') === 'False',
  );
  const deletedAt =
    Date.parse(text(pod, 'metadata', 'deletionTimestamp')) -
    number(pod, 0, 'metadata', 'deletionGracePeriodSeconds') * 1_000;
  const times = [Date.parse(text(unready, 'lastTransitionTime')), deletedAt];
  const created = Date.parse(text(pod, 'metadata', 'creationTimestamp'));
  return times.find((time) => !Number.isNaN(time)) ?? (Number.isNaN(created) ? 0 : created);
}

/** Annotations of a pod with the failures of its index before it: those that count, and those that do not. */
export const failureCounts = {
  counted: 'batch.kubernetes.io/job-index-failure-count',
  ignored: 'batch.kubernetes.io/job-index-ignored-failure-count',
} as const;

/** Returns the number of earlier failures in an annotation of a pod. */
export function failuresBefore(pod: JsonObject, annotation: string): number {
  const value = text(pod, 'metadata', 'annotations', annotation);
  return /^\d{1,10}$/.test(value) && Number(value) < 2 ** 31 ? Number(value) : 0;
}
