/** The objects of a cluster at the end of a run, of which two runs are compared. */
import { equal, fromEntries, type Json, type JsonObject, object, omit, text } from '@kgen/schema/values/json';
import type { Store, StoreContent } from '@kgen/testserver/internal/store/store';
import { isBookkeeping } from '../../history.ts';
import { foreignAnnotation } from '../annotations.ts';

/** An object at the end of a run. */
export interface Recorded {
  /** Storage key of its resource. */
  readonly resource: string;
  readonly value: JsonObject;
  /**
   * Whether it is compared. Others, such as Pods of a Deployment and objects as they were before the run,
   * only identify the objects of two runs.
   */
  readonly isShown: boolean;
  /** Its compared part. */
  readonly content: JsonObject;
}

/** Objects at the end of a run, in the order of their keys. */
export type Snapshot = readonly Recorded[];

/** Selects the objects that are compared. */
export interface SnapshotScope {
  /** Storage keys of resources. */
  readonly resources: ReadonlySet<string>;
  /** Those of `resources` whose status is the operator's own. */
  readonly withStatus: ReadonlySet<string>;
  /** Objects that existed before the run. They are compared if they have changed in one of the runs. */
  readonly base: StoreContent;
  /** Selects objects that are not compared, because they depend on the past. */
  readonly outlives: (object: JsonObject, resource: string) => boolean;
}

/** Returns the objects of a store. */
export function snapshotOf(
  store: Pick<Store, 'content'>,
  { resources, withStatus, base, outlives }: SnapshotScope,
): Snapshot {
  return [...store.content()]
    .filter(([resource]) => !isBookkeeping(resource))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([resource, entries]) => {
      const before = new Map(base.get(resource));
      const isCompared = resources.has(resource);
      const compared = (value: JsonObject): JsonObject => contentOf(value, withStatus.has(resource));
      return entries
        .filter(([key, value]) => isCompared || before.get(key) !== value)
        .map(([key, value]): Recorded => {
          const content = compared(value);
          const former = before.get(key);
          // One that the operator has changed, and changed back, is as one that it has not written.
          const hasChanged = former !== value && !(former && equal(compared(former), content));
          return {
            resource,
            value,
            isShown: isCompared && hasChanged && !outlives(value, resource),
            content,
          };
        });
    });
}

/** Metadata that the server or other controllers write. */
const hidden: ReadonlySet<string> = new Set([
  'managedFields',
  'resourceVersion',
  'uid',
  'generation',
  'creationTimestamp',
  'selfLink',
  'name',
  'annotations',
]);

function contentOf(value: JsonObject, withStatus: boolean): JsonObject {
  const metadata = Object.entries(object(value, 'metadata')).filter(([name]) => !hidden.has(name));
  const annotations = Object.entries(object(value, 'metadata', 'annotations')).filter(
    ([name]) => !name.startsWith('deployment.kubernetes.io/') && name !== foreignAnnotation,
  );
  const shown: readonly [string, Json][] =
    annotations.length === 0 ? metadata : [...metadata, ['annotations', fromEntries(annotations)]];
  return { ...(withStatus ? value : omit(value, 'status')), metadata: fromEntries(shown) };
}

/** Returns the key of an object: `resource namespace/name`. */
export function keyOf(object: Recorded): string {
  return keyWith(object, text(object.value, 'metadata', 'name'));
}

/** Returns the key of an object with `prefix-*` in place of a generated name. */
export function shownKeyOf(object: Recorded): string {
  const generated = text(object.value, 'metadata', 'generateName');
  return generated === '' ? keyOf(object) : keyWith(object, `${generated}*`);
}

/** Returns the key that an object would have with another name. */
export function keyWith({ resource, value }: Recorded, name: string): string {
  const namespace = text(value, 'metadata', 'namespace');
  return `${resource} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

/** Whether the server has generated the name of an object. */
export function hasGeneratedName({ value }: Recorded): boolean {
  return text(value, 'metadata', 'generateName') !== '';
}
