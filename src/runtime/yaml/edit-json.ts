/** JSON that is changed: printed as JSON, whatever else YAML could say. */
import type { Document, Scalar } from 'yaml';
import { quoted } from './edit-scalars.ts';

type Yaml = typeof import('yaml');

/** The white space that JSON is indented with; `undefined` when the text is no JSON. */
export function jsonIndent(text: string): string | undefined {
  try {
    JSON.parse(text);
    return /^\s*[[{]\n([ \t]+)/.exec(text)?.[1] ?? '';
  } catch {
    // Whatever the parser has against it: it is not JSON.
    return undefined;
  }
}

/** How it is printed. */
interface Style {
  readonly yaml: Yaml;
  readonly indent: string;
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

/**
 * Prints a document that was read from JSON. Numbers that nobody changed have the digits that they had, also those that
 * a `number` cannot hold.
 */
export function jsonText(yaml: Yaml, { contents }: Document, indent: string): string {
  return `${printed(contents, { yaml, indent }, '')}\n`;
}
