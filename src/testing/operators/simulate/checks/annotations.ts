/** Metadata of others: annotations on objects of the operator, and metadata of users on their own objects. */
import { type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { Store } from '@kgen/testserver/internal/store/store';
import { idOf, idText, type ObjectId } from '../cluster.ts';

/** An annotation that another client has set on an object of the operator. */
export const foreignAnnotation = 'simulation.kgen.dev/annotated';

/** Returns a line for each annotated object that exists, but has lost its annotation. */
export function lostAnnotations(
  store: Pick<Store, 'list'>,
  resources: Iterable<string>,
  annotated: ReadonlyMap<string, string>,
): readonly string[] {
  return [...resources].flatMap((resource) =>
    store.list(resource).flatMap(([, value]) => {
      const name = annotated.get(text(value, 'metadata', 'uid'));
      const isKept = text(value, 'metadata', 'annotations', foreignAnnotation) !== '';
      return name === undefined || isKept ? [] : [`${name} has lost the annotation ${foreignAnnotation}`];
    }),
  );
}

/** Returns a line for each label and annotation of a user that an existing object does not have. */
export function lostDeclarations(
  declared: readonly JsonObject[],
  find: (id: ObjectId) => JsonObject | undefined,
): readonly string[] {
  return declared.flatMap((value) => {
    const id = idOf(value);
    const stored = find(id);
    if (stored === undefined) return [];
    return ['labels', 'annotations'].flatMap((kind) =>
      Object.entries(object(value, 'metadata', kind))
        .filter(([key, item]) => own(object(stored, 'metadata', kind), key) !== item)
        .map(([key]) => `${idText(id)} has lost metadata.${kind}.${key}, which a user has set`),
    );
  });
}
