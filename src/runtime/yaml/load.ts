/** Parsing of YAML and JSON. These functions are asynchronous because the parser is loaded on first use. */

/** Options of `loadYaml` and `loadAllYaml`. */
export interface LoadYamlOptions {
  /** Name of the input in messages, usually the name of the file. Default: `yaml`. */
  readonly source?: string | undefined;
}

/**
 * Parses one document of YAML or JSON as kubectl does: unquoted `yes`, `on` and `y` are booleans, `012` is
 * ten, dates are strings. No data is lost: integers that a `number` cannot represent are `bigint`s, which
 * requests send as their digits, and `__proto__` is an ordinary key. `T` is the expected type, which is not
 * validated.
 * @throws {SyntaxError} with `source:line:column`: invalid YAML, duplicate keys (kubectl uses the last one),
 * dangling or cyclic aliases, aliases that expand beyond the limits of kubectl, no document, or several
 * documents (use `loadAllYaml`)
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { loadYaml } from '@kgen/runtime/yaml';
 * import type { Deployment } from '@kgen/kubernetes/apps/v1';
 *
 * const source = 'deployment.yaml';
 * const deployment = await loadYaml<Deployment>(await readFile(source, 'utf8'), { source });
 * await clientset.appsV1.deployments('shop').create(deployment);
 * ```
 */
export async function loadYaml<T = unknown>(text: string, options: LoadYamlOptions = {}): Promise<T> {
  const [document, second] = await contents(text, options);
  const { source = 'yaml' } = options;
  if (document === undefined) throw new SyntaxError(`${source}: no document found`);
  if (second !== undefined) {
    throw new SyntaxError(`${second.place}: a second document; loadAllYaml reads them all`);
  }
  // The type argument is chosen by the caller.
  return document.value as T;
}

/**
 * Parses any number of documents, separated by `---`, or of JSON objects in a row, each of which is a
 * document. Empty documents are dropped. A document of kind `List` is one value.
 * @throws {SyntaxError} as `loadYaml`, for the first invalid document
 */
export async function loadAllYaml<T = unknown>(text: string, options: LoadYamlOptions = {}): Promise<T[]> {
  // The type argument is chosen by the caller.
  return (await contents(text, options)).map(({ value }) => value as T);
}

interface Content {
  readonly place: string;
  readonly value: unknown;
}

async function contents(text: string, { source = 'yaml' }: LoadYamlOptions): Promise<readonly Content[]> {
  const { yamlDocuments } = await import('./documents.ts');
  const documents = yamlDocuments(text, source);
  const error = documents.find((document) => document.error !== undefined)?.error;
  if (error !== undefined) throw error;
  return documents.flatMap(({ place, value }) => (value === undefined ? [] : [{ place, value }]));
}
