/**
 * YAML and JSON as values. These functions are asynchronous because the parser is loaded when it is first needed: who
 * never reads YAML never pays for it.
 */

/** Options of `loadYaml` and `loadAllYaml`. */
export interface LoadYamlOptions {
  /** What messages call the text: mostly the name of the file. Default: `yaml`. */
  readonly source?: string | undefined;
}

/**
 * Reads one document of YAML or JSON, as kubectl reads it: unquoted `yes`, `on` and `y` are booleans, `012` is ten, dates
 * are text. No field is lost: whole numbers that a `number` cannot hold are `bigint`s, which requests send as their digits, a key `__proto__` is a key. `T`
 * is what you expect; nothing checks it.
 * @throws {SyntaxError} with `source:line:column`: text that is no YAML, keys that occur twice (kubectl takes the last),
 *   aliases without an anchor, of what contains them, or more than 100; or none or several documents, for which `loadAllYaml` is there
 */
export async function loadYaml<T = unknown>(text: string, options: LoadYamlOptions = {}): Promise<T> {
  const [document, second] = await contents(text, options);
  const { source = 'yaml' } = options;
  if (document === undefined) throw new SyntaxError(`${source}: no document in it`);
  if (second !== undefined) {
    throw new SyntaxError(`${second.place}: a second document; loadAllYaml reads them all`);
  }
  // The promise of `T` is the caller's.
  return document.value as T;
}

/**
 * Reads any number of documents, between `---`. Empty ones are left out. A document of kind `List` is one value: its
 * items are not taken out.
 * @throws {SyntaxError} as `loadYaml`, for the first document that cannot be read
 */
export async function loadAllYaml<T = unknown>(text: string, options: LoadYamlOptions = {}): Promise<T[]> {
  // The promise of `T` is the caller's.
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
