/**
 * Serialises a value as YAML that kubectl and parsers of YAML 1.1 and 1.2 read as the same value: ambiguous
 * strings are quoted, multi-line strings become blocks, long lines are not folded. As in JSON, members that
 * are `undefined` are omitted and `toJSON` (of dates) is called; the order of keys is kept. `bigint`s become
 * numbers, and so do integers beyond 2^53 that a server sent, with all their digits; see `int64`.
 *
 * Asynchronous, because the serialiser is loaded on first use.
 * @throws {TypeError} a value that JSON cannot represent, even if JSON.stringify would drop it: NaN, infinite
 * numbers, functions, symbols, `Map`s, `Set`s, bytes, errors, cyclic objects; the message contains the path
 * @example
 * ```ts
 * import { dumpYaml } from '@kgen/runtime/yaml';
 *
 * console.log(await dumpYaml(await clientset.coreV1.pods('shop').get('web-0')));
 * ```
 */
export async function dumpYaml(value: unknown): Promise<string> {
  const { yamlText } = await import('./nodes.ts');
  return yamlText(value);
}

/**
 * Serialises each value as a document, separated by `---`.
 * @throws {TypeError} as `dumpYaml`
 */
export async function dumpAllYaml(values: readonly unknown[]): Promise<string> {
  const { yamlText } = await import('./nodes.ts');
  return values.map(yamlText).join('---\n');
}
