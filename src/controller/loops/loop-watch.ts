/**
 * Observes the writes of runs for the loop detector, which compares whole objects: only those of keys that
 * have written in several runs within a minute. All others cost a counter.
 */

import { Lru } from '../apply/lru.ts';
import type { RunWrite } from '../client/run-scope.ts';
import { member, metadataString } from '../members.ts';
import type { ObjectName } from '../runs/key.ts';
import type { Mask } from './changes.ts';
import { LoopDetector, type LoopEvent } from './loop-detector.ts';
import type { LoopReport } from './report.ts';

/** Number of runs with writes within the period after which the changes of a key are compared. */
const suspectRuns = 5;
const periodMs = 60_000;
/** Keys that are counted, and keys whose changes are compared. */
const limits = { keys: 10_000, suspects: 1000 };
/** Objects of a key whose last state is kept because no cache has them. */
const mostUncached = 32;

/** Keys of one controller. */
export class LoopWatch {
  readonly #counts = new Lru<WriteCount>(limits.keys);
  readonly #suspects = new Lru<Suspect>(limits.suspects);
  readonly #detector: LoopDetector;

  /** `mask` hides values of Secrets in reports. */
  constructor(mask?: Mask) {
    this.#detector = new LoopDetector({ capacity: limits.suspects, mask });
  }

  /** Number of keys whose writes are counted. */
  get keys(): number {
    return this.#counts.size;
  }

  /** Records a change that causes a run of a key. */
  event(id: string, event: LoopEvent): void {
    if (this.#suspects.size > 0 && this.#suspects.get(id) !== undefined) this.#detector.event(id, event);
  }

  /**
   * Records the writes of a run that has ended. Returns a report if the key is in a loop that was not yet
   * reported. `now` is the time of a monotonic clock, in milliseconds.
   */
  reconciled(id: string, writes: readonly RunWrite[], now: number): LoopReport | undefined {
    const suspect = this.#suspects.get(id);
    if (suspect === undefined && writes.length === 0) return undefined;
    const isSuspect = this.#count(id, writes.some(isEffective), now);
    if (!isSuspect) return undefined;
    const uncached = suspect?.uncached ?? new Map<string, object>();
    this.#suspects.set(id, { uncached });
    for (const write of writes) this.#write(id, write, uncached);
    return this.#detector.reconciled(id, now);
  }

  /** Counts runs with writes, and returns whether the key is a suspect, which it stays for a period. */
  #count(id: string, hasWritten: boolean, now: number): boolean {
    const last = this.#counts.get(id);
    const isNew = last === undefined || now - last.since > periodMs;
    const runs = (isNew ? 0 : last.runs) + (hasWritten ? 1 : 0);
    const isMany = runs > suspectRuns;
    const suspectUntil = isMany ? now + periodMs : (last?.suspectUntil ?? Number.NEGATIVE_INFINITY);
    this.#counts.set(id, { runs, since: isNew ? now : last.since, suspectUntil });
    return now <= suspectUntil;
  }

  #write(id: string, write: RunWrite, uncached: Map<string, object>): void {
    const { fieldManager = '', isDeletion, object: response } = write;
    const object = nameOf(write);
    // Lost responses, and those of other kinds, such as `scale`.
    if (object === undefined || (response === undefined && !isDeletion)) return;
    const key = `${object.group}/${object.resource}/${object.namespace}/${object.name}`;
    const before = write.before ?? uncached.get(key);
    if (write.before === undefined && response !== undefined && uncached.size < mostUncached)
      uncached.set(key, response);
    // The first write of an object without a cache: whether it has changed anything is unknown.
    if (before === undefined && !write.isCreation) return;
    const after = isDeletion ? undefined : response;
    // Caches may keep selected fields only: their states are compared with each other.
    const compared = write.before === undefined ? undefined : write.after;
    this.#detector.write(id, { object, fieldManager, before, after, ...(after && { compared }) });
  }
}

interface WriteCount {
  readonly runs: number;
  readonly since: number;
  readonly suspectUntil: number;
}

interface Suspect {
  /** Last responses by object. */
  readonly uncached: Map<string, object>;
}

function isEffective({ before, object, isDeletion }: RunWrite): boolean {
  if (isDeletion || before === undefined || object === undefined) return true;
  return metadataString(before, 'resourceVersion') !== metadataString(object, 'resourceVersion');
}

/** Objects with generated names have one name together: a key that creates them in each run is in a loop. */
function nameOf({ target, object, isNameGenerated }: RunWrite): ObjectName | undefined {
  const { group, resource, namespace = '', subresource } = target;
  if (subresource !== undefined && subresource !== 'status') return undefined;
  const metadata = member(object, 'metadata');
  const name = isNameGenerated ? `${String(member(metadata, 'generateName'))}*` : target.name;
  const known = name ?? member(metadata, 'name');
  return typeof known === 'string' ? { group, resource, namespace, name: known } : undefined;
}
