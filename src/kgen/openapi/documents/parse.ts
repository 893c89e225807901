import { type Checked, error } from '../../common/problems.ts';
import type { JsonValue } from '../../input/crd/crd-input.ts';
import { faultProblems } from '../../input/crd/faults.ts';
import { createRereader } from '../../input/reading/reread.ts';
import { languageOf, placeAt, type SourceText } from '../../input/reading/source.ts';
import { splitDocuments } from '../../input/reading/split.ts';
import type { Parsed } from '../../input/reading/yaml.ts';
import { createParser } from '../../input/reading/yaml.ts';
import { jsonFault } from './json-fault.ts';

/**
 * Returns the values of a source: one for JSON, one per document for YAML. A `.json` file is parsed as JSON,
 * and so is any other file that `JSON.parse` accepts, which is ten times as fast.
 */
export function parseSource(source: SourceText): Checked<readonly JsonValue[]> {
  const isJson = languageOf(source) === 'JSON';
  if (!isJson && !/^\s*[{[]/.test(source.text)) return parseYaml(source);
  try {
    return { value: [JSON.parse(source.text) as JsonValue], problems: [] }; // seam: JSON.parse returns JSON values
  } catch (cause) {
    if (!isJson) return parseYaml(source);
    return { value: [], problems: [error(faultText(source, cause), placeOf(source))] };
  }
}

function placeOf(source: SourceText): ReturnType<typeof placeAt> {
  return placeAt(source, jsonFault(source.text)?.offset ?? 0);
}

function faultText({ text }: SourceText, cause: unknown): string {
  if (text.trim() === '') return 'the file is empty: save the document again';
  if (/^\s*</.test(text))
    return 'this is HTML or XML, not JSON: did a proxy or a login page respond? Save the document again';
  const fault = jsonFault(text);
  if (fault?.cutOff === true) return 'the document is truncated here: save it again, in full';
  if (fault !== undefined)
    return 'broken JSON: unexpected character; correct the syntax, or save the document again';
  return `broken JSON: ${cause instanceof Error ? cause.message : String(cause)}`;
}

function parseYaml(source: SourceText): Checked<readonly JsonValue[]> {
  const parse = createParser();
  const reread = createRereader(source);
  const read = splitDocuments(source.text).map((chunk): Checked<readonly JsonValue[]> => {
    const parsed: Parsed = parse(chunk.text);
    if (!parsed.ok)
      return { value: [], problems: faultProblems(source, chunk, parsed.fault, () => reread(chunk)) };
    // seam: with this schema, js-yaml returns JSON values
    return { value: parsed.value === undefined ? [] : [parsed.value as JsonValue], problems: [] };
  });
  return { value: read.flatMap(({ value }) => value), problems: read.flatMap(({ problems }) => problems) };
}
