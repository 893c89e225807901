/** Steps of the paths of fields in messages of servers and in declarations. */

/** A name, or the content of brackets: an index, or a key of a map or a list. */
export interface FieldStep {
  readonly name?: string;
  readonly key?: string;
}

/**
 * Returns the steps of a path: `containers[0].ports[web]` has the name containers, the key 0, the name ports
 * and the key web. Brackets that nothing closes separate names.
 */
export function fieldSteps(path: string): readonly FieldStep[] {
  // The brackets close or reach to the end, since a search for the end from each one takes quadratic time.
  return [...path.matchAll(/([^.[\]]+)|\[([^\]]*)(\]?)/g)].flatMap(([, name, key = '', end]) => {
    if (name !== undefined) return [{ name }];
    return end === ']' ? [{ key }] : namesIn(key);
  });
}

function namesIn(text: string): readonly FieldStep[] {
  return [...text.matchAll(/[^.[]+/g)].map(([name]) => ({ name }));
}
