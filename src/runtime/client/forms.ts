/**
 * Forms in which the API gives objects, and how they are asked for.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#alternate-representations-of-resources
 */

/** Only the metadata of objects, or objects as rows of a table; without a form, objects as they are. */
export type Form = 'PartialObjectMetadata' | 'Table';

const json = 'application/json';

/** Verbs that are answered with a list. A form that does not fit is refused when the work is done already. */
const listing: ReadonlySet<string> = new Set(['list', 'deletecollection']);

const alternatives: Readonly<Record<Form, (verb: string) => string>> = {
  PartialObjectMetadata: (verb) =>
    `as=PartialObjectMetadata${listing.has(verb) ? 'List' : ''};g=meta.k8s.io;v=v1`,
  Table: () => 'as=Table;v=v1;g=meta.k8s.io',
};

/** The `Accept` header. A server that does not know the form may give the objects as they are. */
export function acceptOf(form: Form | undefined, verb: string): string {
  return form === undefined ? json : `${json};${alternatives[form](verb)},${json}`;
}
