/** Edited JSON, which is printed as JSON again. */
import type { Document, Scalar } from 'yaml';
import { quoted } from './edit-scalars.ts';

type Yaml = typeof import('yaml');

/** Returns the indentation of JSON, or `undefined` if the string is not JSON. */
export function jsonIndent(text: string): string | undefined {
  try {
    JSON.parse(text);
    return /^\s*[[{]\n([ \t]+)/.exec(text)?.[1] ?? '';
  } catch {
    // The string is not JSON.
    return undefined;
  }
}

/** Style of the output. */
interface Style {
  readonly yaml: Yaml;
  readonly indent: string;
}

/**
 * Prints a document that was parsed from JSON. Unchanged numbers keep their digits, even if a `number` cannot
 * represent them.
 */
export function jsonText(yaml: Yaml, { contents }: Document, indent: string): string {
  return `${printed(contents, { yaml, indent }, '')}\n`;
}

function printed(node: unknown, style: Style, outer: string): string {
  const { yaml, indent } = style;
  const inner = `${outer}${indent}`;
  if (yaml.isScalar(node)) return scalarText(node);
  if (yaml.isSeq(node)) {
    const items = node.items.map((item) => printed(item, style, inner));
    return bracketed('[]', items, indent, outer);
  }
  if (!yaml.isMap(node)) return 'null';
  const members = node.items.map(({ key, value }) => {
    const name = quoted(String(yaml.isScalar(key) ? key.value : key));
    return `${name}${indent === '' ? ':' : ': '}${printed(value, style, inner)}`;
  });
  return bracketed('{}', members, indent, outer);
}

function bracketed(brackets: '[]' | '{}', parts: readonly string[], indent: string, outer: string): string {
  const [open = '', close = ''] = brackets;
  if (parts.length === 0) return brackets;
  if (indent === '') return `${open}${parts.join(',')}${close}`;
  const inner = `${outer}${indent}`;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${outer}${close}`;
}

function scalarText({ source, value }: Scalar): string {
  if (typeof value === 'number' && source !== undefined && Number(source) === value) return source;
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}
