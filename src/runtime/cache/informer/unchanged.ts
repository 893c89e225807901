/** Updates of selected objects that change none of their fields. */
import type { StoredObject } from '../../api/types.ts';
import { recordOf } from '../../codec/integers/digits.ts';
import { setMember } from '../../codec/object-class.ts';
import type { PartPool } from '../../codec/projection/part-pool.ts';
import { isFields } from '../../common/fields.ts';
import { isEqual } from '../../patch/json.ts';
import type { Change } from '../store/store.ts';

/** Maximum number of remembered states. Others are compared again, which is fast: their parts are equal. */
const mostRemembered = 1000;

/** Finds the updates that change no selected field. */
export class UnchangedUpdates<O extends StoredObject> {
  /** States that are equal to the previous ones, until their changes are published. */
  readonly #equal = new Map<O, O>();
  #count = 0;

  /** Number of updates that were omitted. */
  get count(): number {
    return this.#count;
  }

  /**
   * Replaces the parts of a state by those of the previous one if these are equal, so that one of them is not
   * kept in memory; otherwise by those of any objects.
   */
  share(object: O, old: O | undefined, pool: PartPool): void {
    if (old === undefined || !isUnchanged(old, object)) {
      pool.share(object);
      return;
    }
    adopt(object, old, 'metadata');
    adopt(object.metadata, old.metadata, version);
    if (this.#equal.size < mostRemembered) this.#equal.set(object, old);
  }

  /** Returns whether a change is an update of no selected field, and counts it. */
  omits(change: Change<O>): boolean {
    if (change.type !== 'update') return false;
    const { old, object } = change;
    const isOmitted = this.#equal.get(object) === old || isUnchanged(old, object);
    if (isOmitted) this.#count += 1;
    return isOmitted;
  }

  /** Ends a batch of changes, whose states are stored now. */
  clear(): void {
    this.#equal.clear();
  }
}

/**
 * Returns whether two states of an object are equal, except for their versions. Members that are `undefined`
 * count as members, which only a transform can cause.
 */
export function isUnchanged(old: StoredObject, object: StoredObject): boolean {
  return hasSameMembers(old, object, 'metadata') && hasSameMembers(old.metadata, object.metadata, version);
}

function adopt(to: object, from: object, except: string): void {
  // seam: objects have members.
  const [own, others] = [to as Members, from as Members];
  for (const key in own) if (key !== except && Object.hasOwn(own, key)) setMember(own, key, others[key]);
}

const version = 'resourceVersion';

type Members = Record<string, unknown>;

/** Compares the members except one. Called for each event, so that it has to be fast. */
function hasSameMembers(one: object, other: object, except?: string): boolean {
  // seam: objects have members.
  const [a, b] = [one as Members, other as Members];
  let count = 0;
  for (const key in a) {
    count += 1;
    if (key === except) continue;
    const value = b[key];
    if (!isSame(a[key], value)) return false;
    // Inherited members are functions and objects.
    if (typeof value !== 'string' && typeof value !== 'number' && !Object.hasOwn(b, key)) return false;
  }
  for (const _ in b) count -= 1;
  return count === 0;
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const areLists = Array.isArray(a) && Array.isArray(b);
  if (!areLists && !(isFields(a) && isFields(b))) return false;
  const records = [recordOf(a), recordOf(b)].filter((record) => record !== undefined);
  if (records.length === 0) return hasSameMembers(a, b);
  // Rounded integers may be equal although their digits differ; one without digits equals any of these.
  return records.length === 2 && isEqual(a, b) && isEqual(b, a);
}
