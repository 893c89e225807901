/** Merges the paths of all documents and corrects the responses of deletions. */
import { byText } from '../common/words.ts';
import {
  definitionOf,
  type PathItem,
  type PathResponse,
  type PathSchema,
  type Paths,
  partsOf,
  schemasOf,
  schemasPrefix,
} from './openapi.ts';
import type { Known } from './schema.ts';

const status = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';
const json = 'application/json';

/**
 * Returns all paths, sorted. A path of several documents has the methods of all of them. For equal methods,
 * the first document is used.
 */
export function mergePaths(documents: readonly Paths[]): Paths {
  const merged = new Map<string, PathItem>();
  for (const paths of documents) {
    for (const [path, item] of paths) merged.set(path, new Map([...item, ...(merged.get(path) ?? [])]));
  }
  return new Map([...merged].sort(([a], [b]) => byText(a, b)));
}

/**
 * The response to a deletion is the object while it still exists, otherwise a `Status`; for a collection it
 * is the list or a `Status`. Documents name only one of the two.
 */
export function widenDeletions(paths: Paths, known: Known): Paths {
  if (!known(status)) return paths;
  return new Map([...paths].map(([path, item]) => [path, widenDeletion(item)]));
}

function widenDeletion(item: PathItem): PathItem {
  const deletion = item.get('delete');
  const read = responded(item.get('get')?.responses['200']);
  if (deletion === undefined || read === undefined) return item;
  const both: PathSchema = { oneOf: [read, { $ref: schemasPrefix + status }] };
  const named = new Set([definitionOf(read), status]);
  const widened = Object.entries(deletion.responses).map(([code, response]): [string, PathResponse] => {
    const schema = responded(response);
    const name = schema === undefined ? undefined : definitionOf(schema);
    if (name === undefined || !named.has(name)) return [code, response];
    return [code, { ...response, content: { ...response.content, [json]: { schema: both } } }];
  });
  return new Map([...item, ['delete', { ...deletion, responses: Object.fromEntries(widened) }]]);
}

/** Returns the reference in a JSON response. */
function responded(response: PathResponse | undefined): PathSchema | undefined {
  const schema = response?.content?.[json]?.schema;
  return schema !== undefined && definitionOf(schema) !== undefined ? schema : undefined;
}

/** Returns every definition that the paths refer to, sorted. */
export function usedDefinitions(paths: Paths): readonly string[] {
  const used = new Set<string>();
  const visit = (schema: PathSchema): void => {
    const name = definitionOf(schema);
    if (name !== undefined) used.add(name);
    for (const part of partsOf(schema)) visit(part);
  };
  for (const item of paths.values()) {
    for (const operation of item.values()) for (const schema of schemasOf(operation)) visit(schema);
  }
  return [...used].sort(byText);
}
