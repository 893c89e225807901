/** Annotations of another client on objects of the operator. */
import { text } from '@kgen/schema/values/json';
import type { Store } from '@kgen/testserver/internal/store/store';

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
