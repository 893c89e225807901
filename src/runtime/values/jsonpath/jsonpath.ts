/** JSONPath templates of kubectl: `-o jsonpath='{.items[*].metadata.name}'`. */
import { type EvaluateOptions, evaluate, keysOf, memberOf } from './evaluate.ts';
import { parseTemplate } from './parse.ts';
import type { Part } from './types.ts';

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** Options of `parseJsonPath`. */
export interface JsonPathOptions {
  /**
   * Whether a missing field is an empty result. If not, it is a `TypeError`. Default: true, as in kubectl.
   */
  readonly allowMissingKeys?: boolean | undefined;
}

/** A parsed JSONPath template of kubectl, which formats objects. */
export interface JsonPath {
  /**
   * Returns the output of `kubectl -o jsonpath` for an object or a list: the text of the template with the
   * values of its expressions, several values of one expression separated by spaces. Strings are printed as
   * they are, objects and lists as JSON with sorted keys.
   * @throws {TypeError} with the column in the template: an index that is not within its list, a slice or a
   * filter of a value that is not a list, a comparison of different types, or a missing field if these are
   * not allowed
   */
  getText(object: object): string;
  /**
   * Returns the values that the expressions of the template select, in the order of the output. Integers
   * beyond 2^53 are `bigint`.
   * @throws {TypeError} as `getText`
   */
  getValues(object: object): readonly unknown[];
}

/**
 * Parses a JSONPath template as kubectl does: text and expressions in braces, with fields (`.spec`,
 * `['spec']`, `.labels.app\.kubernetes\.io/name`), `[0]`, `[-1]`, `[0:2]`, `[*]`, `.*`, `..`, unions
 * (`['kind','metadata.name']`), filters (`[?(@.type=="Ready")]`), quoted strings (`{"\n"}`), and loops
 * (`{range .items[*]}{.metadata.name}{end}`). Regular expressions are not supported.
 * @throws {SyntaxError} with the column of the error
 * @see https://kubernetes.io/docs/reference/kubectl/jsonpath/
 * @example
 * ```ts
 * import { parseJsonPath } from '@kgen/runtime/dynamic';
 *
 * const ready = parseJsonPath('{.status.conditions[?(@.type=="Ready")].status}');
 * console.log(ready.getText(await clientset.coreV1.pods('shop').get('web-0'))); // True
 * ```
 */
export function parseJsonPath(template: string, options: JsonPathOptions = {}): JsonPath {
  if (typeof template !== 'string') throw new TypeError('a JSONPath template must be a string');
  const parts = parseTemplate(template);
  const { allowMissingKeys = true } = options;
  const evaluation = { allowMissingKeys };
  return {
    getText: (object) => textOf(parts, object, evaluation),
    getValues: (object) => valuesOf(parts, object, evaluation),
  };
}

function textOf(parts: readonly Part[], current: unknown, options: EvaluateOptions): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      const values = evaluate(part.path, [current], options);
      if (part.kind === 'path') return print(values);
      return values.map((value) => textOf(part.body, value, options)).join('');
    })
    .join('');
}

function valuesOf(parts: readonly Part[], current: unknown, options: EvaluateOptions): readonly unknown[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text') return [];
    const values = evaluate(part.path, [current], options);
    if (part.kind === 'range') return values.flatMap((value) => valuesOf(part.body, value, options));
    return part.path.at(-1)?.kind === 'literal' ? [] : values;
  });
}

/** Prints values: objects and lists as JSON, others as they are, separated by spaces. */
function print(values: readonly unknown[]): string {
  return values.map(printed).join(' ');
}

function printed(value: unknown): string {
  if (typeof value === 'object' && value !== null) return json(value);
  if (value === null || value === undefined) return '<nil>';
  return typeof value === 'number' ? float(value) : String(value);
}

/** Numbers below 0.0001 have an exponent, of at least two digits. */
function float(value: number): string {
  const text = value !== 0 && Math.abs(value) < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** JSON of Go: sorted keys, and characters that are special in HTML are escaped. */
function json(value: unknown): string {
  if (Array.isArray(value))
    return `[${keysOf(value)
      .map((key) => json(memberOf(value, key)))
      .join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = keysOf(value).toSorted(byCodePoint);
    return `{${members.map((key) => `${json(key)}:${json(memberOf(value, key))}`).join(',')}}`;
  }
  if (typeof value === 'bigint') return String(value);
  const text = JSON.stringify(value) ?? 'null';
  return typeof value === 'string'
    ? text.replaceAll(/[<>&\u2028\u2029]/g, (char) => escapes[char] ?? char)
    : text;
}

/** Go sorts by bytes of UTF-8, which is the order of code points. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
