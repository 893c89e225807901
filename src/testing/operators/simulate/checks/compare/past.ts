/** Differences between a cluster with a past and a fresh one, in which the last declarations were created. */
import {
  array,
  equal,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  text,
} from '@kgen/schema/values/json';
import { irreversibleFields } from '../../faults/irreversible.ts';
import type { RunDifference } from './differences.ts';
import { ownersOf } from './renaming.ts';
import { keyOf, type Recorded, type Snapshot, shownKeyOf } from './snapshot.ts';

/** Clusters with which a cluster is compared. All of them come from runs without faults. */
export interface PastScope {
  /** Differences of the cluster with a past to the fresh one. */
  readonly differences: readonly RunDifference[];
  /** Fresh clusters of earlier declarations, with their differences to the fresh one. */
  readonly earlier: readonly EarlierCluster[];
  /**
   * Differences of a cluster in which deleted objects had existed: allocated numbers, for example, depend on
   * them. Members that contain one of `deleted` count in any case.
   */
  readonly ghosts: readonly RunDifference[];
  /** Keys of the objects of users that the operator had adopted, and that were deleted with their owners. */
  readonly adopted: ReadonlySet<string>;
  /** Names of the deleted objects. */
  readonly deleted: readonly string[];
  /** Storage keys of the resources of users' objects. */
  readonly sampleResources: ReadonlySet<string>;
}

export interface EarlierCluster {
  readonly snapshot: Snapshot;
  readonly differences: readonly RunDifference[];
}

/**
 * Returns the differences that an operator must not leave: what is missing, and what stays of an earlier
 * declaration. Others are a past that may remain, such as counters, finished Jobs and allocated numbers.
 */
export function remains(scope: PastScope): readonly RunDifference[] {
  const { differences } = scope;
  const isReported = differences.some((each) => isReport(scope, each));
  return differences.filter((difference) => {
    if (difference.kind === 'missing')
      return !scope.adopted.has(keyOf(difference.object)) && !isReplaced(scope, difference.object);
    if (difference.kind === 'additional') return isStaleObject(scope, difference.object);
    if (difference.kind === 'name') return false;
    const isOwn = scope.sampleResources.has(difference.object.resource);
    return (isOwn || !isReported) && isStaleField(scope, difference);
  });
}

type FieldDifference = Extract<RunDifference, { readonly kind: 'field' }>;

/** Whether another object of the same owner has taken the place of one: a name may contain a generation. */
function isReplaced({ differences }: PastScope, { resource, value }: Recorded): boolean {
  const kinds = (owned: JsonObject): string =>
    JSON.stringify(array(owned, 'metadata', 'ownerReferences').map((owner) => text(owner, 'name')));
  return differences.some(
    ({ kind, object: other }) =>
      kind === 'additional' && other.resource === resource && kinds(other.value) === kinds(value),
  );
}

function isStaleObject(scope: PastScope, additional: Recorded): boolean {
  if (isFinished(additional)) return false;
  const keyIn = ownersOf(additional).length > 0 ? shownKeyOf : keyOf;
  return scope.earlier.some(
    (each) =>
      each.snapshot.some((other) => keyIn(other) === keyIn(additional)) &&
      !isFailing(scope, each, additional),
  );
}

/**
 * Whether the operator states that it cannot act for the owner of an object, as it could in an earlier
 * cluster: a reference is missing, for example. The object may stay as it was then.
 */
function isFailing(
  { sampleResources }: PastScope,
  { differences }: EarlierCluster,
  owned: Recorded,
): boolean {
  const owners = new Set(array(owned.value, 'metadata', 'ownerReferences').map((each) => text(each, 'name')));
  return differences.some(
    (difference) =>
      difference.kind === 'field' &&
      sampleResources.has(difference.object.resource) &&
      (owners.size === 0 || owners.has(text(difference.object.value, 'metadata', 'name'))) &&
      statesFailure(difference),
  );
}

/** Types of conditions that are true, and phases, while something is wrong. */
const failures = /degraded|stalled|fail|error|invalid|blocked/i;

/** Whether a difference is due to the state of a fresh cluster in which something is wrong. */
function statesFailure({ object: { value }, field: { path } }: FieldDifference): boolean {
  if (/^\.status\.(?:phase|state)$/.test(path)) return failures.test(text(value, 'status', path.slice(8)));
  const [, index, member] = /^\.status\.conditions(?:\[(\d+)\](\.status)?)?$/.exec(path) ?? [];
  if (index !== undefined && member === undefined) return false;
  const all = path.startsWith('.status.conditions') ? array(value, 'status', 'conditions') : [];
  const conditions = index === undefined ? all : all.slice(Number(index), Number(index) + 1);
  return conditions.some((each) => (text(each, 'status') === 'True') === failures.test(text(each, 'type')));
}

/** Jobs and pods that have ended, and revisions, are the past itself. */
function isFinished({ value }: Recorded): boolean {
  const conditions = array(value, 'status', 'conditions');
  const hasEnded = conditions.some(
    (each) => ['Complete', 'Failed'].includes(text(each, 'type')) && text(each, 'status') === 'True',
  );
  const isOver = ['Succeeded', 'Failed'].includes(text(value, 'status', 'phase'));
  return (
    (text(value, 'kind') === 'Job' && hasEnded) || isOver || text(value, 'kind') === 'ControllerRevision'
  );
}

function isStaleField(scope: PastScope, difference: FieldDifference): boolean {
  const { object: owner, field } = difference;
  if (irreversibleFields(owner.resource).some((prefix) => isBelow(field.path, prefix))) return false;
  const { expected, actual } = field;
  if (actual === undefined && !isBelow(field.path, 'status')) return true;
  const isMentioned = scope.deleted.some((name) => JSON.stringify(actual ?? '').includes(name));
  if (!isMentioned && scope.ghosts.some((ghost) => isSame(ghost, difference))) return false;
  if (isArray(expected) && isArray(actual)) return hasStaleItem(scope, difference, expected, actual);
  const isOwn = scope.sampleResources.has(owner.resource);
  return scope.earlier.some(
    (each) =>
      each.differences.some((other) => isSame(other, difference)) &&
      (isOwn || !isFailing(scope, each, owner)),
  );
}

/** A list of another length counts by its items. */
function hasStaleItem(
  { earlier }: PastScope,
  difference: FieldDifference,
  expected: readonly Json[],
  actual: readonly Json[],
): boolean {
  const has = (items: readonly Json[], item: Json): boolean =>
    items.some((each) => equal(comparable(each), comparable(item)));
  if (expected.some((item) => !isCondition(item) && !has(actual, item))) return true;
  const more = actual.filter((item) => !has(expected, item));
  return earlier.some(({ differences }) => {
    const items = differences.flatMap((other) => itemsOf(other, difference));
    return more.some((item) => has(items, item));
  });
}

/** Returns the items of a list in another cluster that differ: all of another list, or one at its place. */
function itemsOf(other: RunDifference, { object: owner, field }: FieldDifference): readonly Json[] {
  if (other.kind !== 'field' || keyOf(other.object) !== keyOf(owner)) return [];
  const { path, actual } = other.field;
  if (path === field.path) return isArray(actual) ? actual : [];
  const isItem = path.startsWith(`${field.path}[`) && path.endsWith(']') && actual !== undefined;
  return isItem ? [actual] : [];
}

/** Whether two differences are about the same member, and it has the same value. */
function isSame(other: RunDifference, difference: FieldDifference): boolean {
  if (other.kind !== 'field' || !isSamePlace(other, difference)) return false;
  return equal(other.field.actual ?? null, difference.field.actual ?? null);
}

function isSamePlace(other: FieldDifference, { object: owner, field }: FieldDifference): boolean {
  return keyOf(other.object) === keyOf(owner) && other.field.path === field.path;
}

/**
 * Whether the operator states in a condition of its own object that something is not as declared: a claim
 * that cannot shrink, for example.
 */
function isReport({ sampleResources, earlier }: PastScope, difference: RunDifference): boolean {
  if (difference.kind !== 'field' || !sampleResources.has(difference.object.resource)) return false;
  const { path, expected, actual } = difference.field;
  if (!isBelow(path, 'status')) return false;
  const isKnown = earlier.some(({ differences }) => differences.some((other) => isSame(other, difference)));
  const conditions = isArray(actual) ? actual.filter(isCondition) : [];
  const known = isArray(expected) ? expected : [];
  const isAnother = conditions.some((each) => !known.some((one) => equal(comparable(one), comparable(each))));
  return !isKnown && (isAnother || /\.conditions\[\d+\]\.status$/.test(path));
}

function isCondition(item: Json): boolean {
  return (
    isObject(item) && text(item, 'type') !== '' && ['True', 'False', 'Unknown'].includes(text(item, 'status'))
  );
}

/** Reasons, messages and times of conditions may depend on the past. */
function comparable(item: Json): Json {
  if (!isCondition(item)) return item;
  return { type: object(item)['type'] ?? null, status: object(item)['status'] ?? null };
}

function isBelow(path: string, prefix: string): boolean {
  return path === `.${prefix}` || path.startsWith(`.${prefix}.`) || path.startsWith(`.${prefix}[`);
}
