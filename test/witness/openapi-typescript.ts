/** The witness: the types that openapi-typescript writes for the definitions of a document. */
import type { Node } from 'typescript';
import type { Definitions } from './document.ts';

/** What is used of it. Its own types do not compile without packages that it does not install. */
interface OpenapiTypescript {
  readonly default: (document: object, options: object) => Promise<readonly Node[]>;
  readonly astToString: (nodes: readonly Node[]) => string;
}

/** The text of a module that exports `components`, where `components['schemas']` has a type for every definition. */
export async function witnessText({ schemas }: Definitions): Promise<string> {
  const name: string = 'openapi-typescript';
  // A name that is no literal gives no types: those of the package would not compile.
  const { default: openapiTS, astToString } = (await import(name)) as OpenapiTypescript;
  const document = {
    openapi: '3.0.3',
    info: { title: 'Definitions', version: '1' },
    paths: {},
    components: { schemas: Object.fromEntries(schemas) },
  };
  return astToString(await openapiTS(document, { defaultNonNullable: false, silent: true }));
}
