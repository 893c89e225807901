/** Output of JSONPath values, as Go prints them. */
import { keysOf, memberOf } from './evaluate.ts';

/** Prints values: objects and lists as JSON, others as they are, separated by spaces. */
export function print(values: readonly unknown[]): string {
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

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

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
