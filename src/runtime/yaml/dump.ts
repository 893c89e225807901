/**
 * Writes a value as YAML that kubectl, and readers of YAML 1.1 and 1.2, read back as the same value: text that looks like
 * something else is quoted, text of several lines becomes a block, long lines are not folded. As in JSON, fields that
 * are `undefined` are left out and `toJSON` (of dates) is asked; the order of keys stays. `bigint`s become numbers,
 * and so do integers beyond 2^53 that a server sent, with all their digits; see `int64`.
 *
 * Asynchronous, because the writer is loaded when it is first needed.
 * @throws {TypeError} what JSON has no form for, even where JSON would drop it: NaN, infinite numbers, functions, symbols,
 *   `Map`s, `Set`s, bytes, errors, objects that contain themselves; the message says where
 */
export async function dumpYaml(value: unknown): Promise<string> {
  const { yamlText } = await import('./nodes.ts');
  return yamlText(value);
}

/**
 * Writes each value as a document, with `---` between them.
 * @throws {TypeError} as `dumpYaml`
 */
export async function dumpAllYaml(values: readonly unknown[]): Promise<string> {
  const { yamlText } = await import('./nodes.ts');
  return values.map(yamlText).join('---\n');
}
