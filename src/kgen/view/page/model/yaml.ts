/** Objects as YAML for people: long strings are shortened. */
import { isRecord } from '../../secrets.ts';
import { stepOf } from './differences.ts';

/** A line of YAML, and the path of the field that begins on it: `.spec.ports[0].name`. */
export interface YamlLine {
  readonly text: string;
  readonly path: string;
}

/** Characters of a string that are shown. */
const longest = 2_000;

/** Returns a value as YAML, without `metadata.managedFields`. */
export function yamlOf(value: unknown): string {
  return yamlLines(value)
    .map(({ text }) => text)
    .join('\n');
}

/** Returns the lines of a value, without `metadata.managedFields`. */
export function yamlLines(value: unknown): readonly YamlLine[] {
  return linesOf(withoutManagedFields(value), '');
}

/** Returns a value in JSON on one line, of at most `limit` characters. */
export function shortText(value: unknown, limit = 100): string {
  const text = JSON.stringify(value) ?? '';
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

function withoutManagedFields(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value['metadata'])) return value;
  const { managedFields, ...metadata } = value['metadata'];
  return { ...value, metadata };
}

function linesOf(value: unknown, path: string): readonly YamlLine[] {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (items.length === 0) return [{ text: '[]', path }];
    return items.flatMap((item, index) => indented('- ', '  ', linesOf(item, `${path}${stepOf(index)}`)));
  }
  if (!isRecord(value)) return [{ text: scalarOf(value), path }];
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  if (entries.length === 0) return [{ text: '{}', path }];
  return entries.flatMap(([name, member]) => memberLines(name, member, `${path}${stepOf(name)}`));
}

function memberLines(name: string, member: unknown, path: string): readonly YamlLine[] {
  const lines = linesOf(member, path);
  const key = plainOr(name);
  const isNested = Array.isArray(member)
    ? member.length > 0
    : isRecord(member) && Object.keys(member).length > 0;
  if (!isNested) return [{ text: `${key}: ${lines[0]?.text ?? ''}`, path }];
  return [{ text: `${key}:`, path }, ...(Array.isArray(member) ? lines : indented('  ', '  ', lines))];
}

function indented(first: string, others: string, lines: readonly YamlLine[]): readonly YamlLine[] {
  return lines.map(({ text, path }, index) => ({ text: `${index === 0 ? first : others}${text}`, path }));
}

function scalarOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  if (value.length <= longest) return plainOr(value);
  return `${JSON.stringify(value.slice(0, longest))} … (${value.length} characters)`;
}

/** Returns a string as a plain scalar if YAML reads the same string. */
function plainOr(text: string): string {
  const isPlain = /^[A-Za-z_/][\w./-]*$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
