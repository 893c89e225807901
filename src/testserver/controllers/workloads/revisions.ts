/** The history of the templates of StatefulSets and DaemonSets, as ControllerRevisions. */

import { equal, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { isDeleting, nameOf, namespaceOf } from '../../store/object-facts.ts';
import { type Cluster, controllerReference, type ResourcePath } from '../cluster.ts';
import { controllerRevisions } from './paths.ts';
import { byCreation, hashOf, number, withSortedMembers } from './values.ts';

/** Label of pods with the hash, or the name, of their revision. */
export const revisionLabel = 'controller-revision-hash';

/** Returns the revisions of an owner, oldest first. */
export function revisionsOf(cluster: Cluster, owner: JsonObject): readonly JsonObject[] {
  return cluster
    .controlled(controllerRevisions, owner)
    .toSorted((a, b) => number(a, 0, 'revision') - number(b, 0, 'revision') || byCreation(a, b));
}

/** Returns the revision of the current template, which becomes the newest one. */
export function* syncRevision(
  cluster: Cluster,
  path: ResourcePath,
  owner: JsonObject,
  label: string,
): Verb<JsonObject> {
  const known = revisionsOf(cluster, owner);
  const data = dataOf(owner);
  const same = known.find((revision) => equal(own(revision, 'data'), data));
  const latest = number(known.at(-1), 0, 'revision');
  if (same !== undefined && same === known.at(-1)) return same;
  if (same !== undefined)
    return yield* cluster.update(controllerRevisions, { ...same, revision: latest + 1 });
  const template = object(owner, 'spec', 'template');
  const hash = hashOf(template, number(owner, 0, 'status', 'collisionCount'));
  const name = `${nameOf(owner)}-${hash}`;
  return yield* cluster.create(controllerRevisions, {
    metadata: {
      name,
      namespace: namespaceOf(owner),
      labels: { ...object(template, 'metadata', 'labels'), [label]: hash },
      annotations: object(owner, 'metadata', 'annotations'),
      ownerReferences: [controllerReference(path, owner)],
    },
    data,
    revision: latest + 1,
  });
}

/**
 * The part of an owner that a revision restores, as a strategic merge patch. Clients compare its bytes, so
 * that its members have the order of Kubernetes.
 */
function dataOf(owner: JsonObject): JsonObject {
  return withSortedMembers({
    spec: { template: { ...object(owner, 'spec', 'template'), $patch: 'replace' } },
  });
}

/** Returns the template of a revision. */
export function templateOf(revision: JsonObject): JsonObject {
  const { $patch: _, ...template } = object(revision, 'data', 'spec', 'template');
  return template;
}

/** Deletes old revisions beyond the limit of the history, except those of pods. */
export function* truncateHistory(
  cluster: Cluster,
  owner: JsonObject,
  isUsed: (revision: JsonObject) => boolean,
): Verb<void> {
  const limit = number(owner, 10, 'spec', 'revisionHistoryLimit');
  const unused = revisionsOf(cluster, owner).filter((revision) => !isDeleting(revision) && !isUsed(revision));
  for (const revision of unused.slice(0, Math.max(0, unused.length - limit))) {
    yield* cluster.remove(controllerRevisions, revision);
  }
}

/** Returns the revision of a pod, or the hash of a revision: the value of their label. */
export function revisionNameOf(value: Json | undefined): string {
  return text(value, 'metadata', 'labels', revisionLabel);
}
