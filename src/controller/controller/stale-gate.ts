/**
 * Keys that wait for creations of their own. An own write is visible in the caches at once; a creation whose
 * name the server chose is not if its response was lost, or if no cache could decide whether it selects the
 * object. A run before it is visible would create it again.
 * @see https://github.com/kubernetes/enhancements/issues/5647
 */

import type { RunWrite } from '../client/run-scope.ts';

/** Maximum time for which a key waits, in milliseconds. */
const maximumMs = 5000;

/** A creation that caches do not show yet. */
export interface UnseenCreation {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  /** Version of the object; `undefined` if the response was lost. */
  readonly resourceVersion: string | undefined;
  readonly until: number;
}

/** Returns whether every cache of a resource contains a version; `true` if there is none. */
export type SeenVersion = (creation: UnseenCreation) => boolean;

/** Unseen creations by key. */
export class StaleGate {
  readonly #unseen = new Map<string, readonly UnseenCreation[]>();

  /** Records the writes of a run. */
  record(id: string, writes: readonly RunWrite[], now: number): void {
    const unseen = writes.filter(isUnseen).map((write) => creationOf(write, now));
    if (unseen.length > 0) this.#unseen.set(id, [...(this.#unseen.get(id) ?? []), ...unseen]);
  }

  /** Returns a creation for which a key must wait; `undefined` if it may run. */
  pending(id: string, seen: SeenVersion, now: number): UnseenCreation | undefined {
    const unseen = this.#unseen.get(id);
    if (unseen === undefined) return undefined;
    const left = unseen.filter((creation) => creation.until > now && !seen(creation));
    if (left.length === 0) this.#unseen.delete(id);
    else this.#unseen.set(id, left);
    return left[0];
  }
}

function isUnseen({ verb, isNameGenerated, isVisible }: RunWrite): boolean {
  return verb === 'create' && isNameGenerated && !isVisible;
}

function creationOf({ target, object }: RunWrite, now: number): UnseenCreation {
  const { group, resource, namespace = '' } = target;
  return { group, resource, namespace, resourceVersion: versionOf(object), until: now + maximumMs };
}

function versionOf(object: object | undefined): string | undefined {
  const metadata: unknown = object && Reflect.get(object, 'metadata');
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const version: unknown = Reflect.get(metadata, 'resourceVersion');
  return typeof version === 'string' ? version : undefined;
}
