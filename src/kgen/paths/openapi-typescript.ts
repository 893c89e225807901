/**
 * Adapter to openapi-typescript, which is loaded on demand: it and its compiler take half a second to start.
 */
import type * as TypeScript from 'typescript';
import { type Method, methods, type Operation, type PathItem, type Paths, schemasPrefix } from './openapi.ts';

/**
 * The functions that are used. The package's own types do not compile without packages that it does not
 * install.
 */
interface OpenapiTypescript {
  readonly default: (document: object, options: Options) => Promise<readonly TypeScript.Node[]>;
  readonly astToString: (nodes: TypeScript.Node) => string;
}

interface Options {
  readonly silent: boolean;
  readonly defaultNonNullable: boolean;
  readonly transform: (schema: object, at: { readonly path?: string }) => TypeScript.TypeNode | undefined;
}

/** The two exported interfaces. */
export interface Printed {
  readonly paths: string;
  readonly components: string;
}

/** Prints paths. `types` maps the definitions that they refer to, to type expressions. */
export async function printPaths(paths: Paths, types: ReadonlyMap<string, string>): Promise<Printed> {
  const { default: ts } = await import('typescript');
  const { default: openapiTS, astToString } = await load();
  const nodes = await openapiTS(documentOf(paths, types), {
    silent: true,
    defaultNonNullable: false,
    transform: (_, { path = '' }) => {
      const type = path.startsWith(schemasPrefix) ? types.get(path.slice(schemasPrefix.length)) : undefined;
      return type === undefined ? undefined : ts.factory.createTypeReferenceNode(type);
    },
  });
  const print = (name: keyof Printed): string => {
    const declares = (node: TypeScript.Node): boolean =>
      (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && node.name.text === name;
    return nodes
      .filter(declares)
      .map((node) => indentByTwo(withoutEnumNotes(astToString(node))))
      .join('');
  };
  return { paths: print('paths'), components: print('components') };
}

async function load(): Promise<OpenapiTypescript> {
  const name: string = 'openapi-typescript';
  // The name is not a literal, because the types of the package would not compile.
  return (await import(name)) as OpenapiTypescript;
}

/** Definitions have no schema: they are printed as the type that replaces them. */
function documentOf(paths: Paths, types: ReadonlyMap<string, string>): object {
  return {
    openapi: '3.0.3',
    info: { title: 'Kubernetes', version: '' },
    paths: Object.fromEntries([...paths].map(([path, item]) => [path, itemOf(item)])),
    components: { schemas: Object.fromEntries([...types.keys()].map((name) => [name, {}])) },
  };
}

function itemOf(item: PathItem): Partial<Record<Method, Operation>> {
  return Object.fromEntries(
    methods.flatMap((method) => {
      const operation = item.get(method);
      return operation === undefined ? [] : [[method, operation] as const];
    }),
  );
}

/** Removes the comment `@enum` above each literal, which repeats its type. */
function withoutEnumNotes(text: string): string {
  return text.replace(/^ *\/\*\* @enum \{string\} \*\/\n/gm, '');
}

function indentByTwo(text: string): string {
  return text.replace(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2));
}
