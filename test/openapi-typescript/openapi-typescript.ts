/** Types that openapi-typescript generates for the definitions of a document. */
import type { Node } from 'typescript';
import type { Definitions } from './definitions.ts';

/** Used part of its API. Its own types do not compile without packages that it does not install. */
interface OpenapiTypescript {
  readonly default: (document: object, options: object) => Promise<readonly Node[]>;
  readonly astToString: (nodes: readonly Node[]) => string;
}

/**
 * Returns the source of a module that exports `components`, where `components['schemas']` has a type for
 * every definition.
 */
export async function openapiTypesSource({ schemas }: Definitions): Promise<string> {
  const name: string = 'openapi-typescript';
  // An import of a variable has no types: those of the package would not compile.
  const { default: openapiTS, astToString } = (await import(name)) as OpenapiTypescript;
  const document = {
    openapi: '3.0.3',
    info: { title: 'Definitions', version: '1' },
    paths: {},
    components: { schemas: Object.fromEntries(schemas) },
  };
  return astToString(await openapiTS(document, { defaultNonNullable: false, silent: true }));
}
