/** Documents into one: paths of all of them, and what no document says of answers. */
import { byText } from '../words.ts';
import {
  type Answer,
  definitionOf,
  type PathItem,
  type PathSchema,
  type Paths,
  partsOf,
  schemasOf,
  schemasPrefix,
} from './openapi.ts';
import type { Known } from './schema.ts';

const status = 'io.k8s.apimachinery.pkg.apis.meta.v1.Status';
const json = 'application/json';

/** All paths, sorted. A path that several documents have gets the methods of all; of one method the first is taken. */
export function mergePaths(documents: readonly Paths[]): Paths {
  const merged = new Map<string, PathItem>();
  for (const paths of documents) {
    for (const [path, item] of paths) merged.set(path, new Map([...item, ...(merged.get(path) ?? [])]));
  }
  return new Map([...merged].sort(([a], [b]) => byText(a, b)));
}

/**
 * A server answers the deletion of an object with the object while it is still there, else with a `Status`; that of a
 * collection likewise with the list. Documents name one of the two.
 */
export function widenDeletions(paths: Paths, known: Known): Paths {
  if (!known(status)) return paths;
  return new Map([...paths].map(([path, item]) => [path, widenDeletion(item)]));
}

function widenDeletion(item: PathItem): PathItem {
  const deletion = item.get('delete');
  const read = answered(item.get('get')?.responses['200']);
  if (deletion === undefined || read === undefined) return item;
  const both: PathSchema = { oneOf: [read, { $ref: schemasPrefix + status }] };
  const named = new Set([definitionOf(read), status]);
  const widened = Object.entries(deletion.responses).map(([code, answer]): [string, Answer] => {
    const schema = answered(answer);
    const name = schema === undefined ? undefined : definitionOf(schema);
    if (name === undefined || !named.has(name)) return [code, answer];
    return [code, { ...answer, content: { ...answer.content, [json]: { schema: both } } }];
  });
  return new Map([...item, ['delete', { ...deletion, responses: Object.fromEntries(widened) }]]);
}

/** The reference that an answer in JSON is. */
function answered(answer: Answer | undefined): PathSchema | undefined {
  const schema = answer?.content?.[json]?.schema;
  return schema !== undefined && definitionOf(schema) !== undefined ? schema : undefined;
}

/** Every definition that the paths refer to, sorted. */
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
