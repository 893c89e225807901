/**
 * Alternate representations of objects, and their `Accept` headers.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#alternate-representations-of-resources
 */

/**
 * Alternate representation: only the metadata of objects, or objects as rows of a table. Without one,
 * responses contain whole objects.
 */
export type Representation = 'PartialObjectMetadata' | 'Table';

const json = 'application/json';

/**
 * Verbs that return a list. Servers reject an unsuitable representation only after the request was performed.
 */
const listing: ReadonlySet<string> = new Set(['list', 'deletecollection']);

const alternatives: Readonly<Record<Representation, (verb: string) => string>> = {
  PartialObjectMetadata: (verb) =>
    `as=PartialObjectMetadata${listing.has(verb) ? 'List' : ''};g=meta.k8s.io;v=v1`,
  Table: () => 'as=Table;v=v1;g=meta.k8s.io',
};

/**
 * Returns the `Accept` header. A server that does not support the representation may return whole objects.
 */
export function acceptOf(form: Representation | undefined, verb: string): string {
  return form === undefined ? json : `${json};${alternatives[form](verb)},${json}`;
}
