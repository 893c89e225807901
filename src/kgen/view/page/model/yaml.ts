/** Objects as YAML for people: long strings are shortened. */
import { isRecord } from '../../secrets.ts';

/** Characters of a string that are shown. */
const longest = 2_000;

/** Returns a value as YAML, without `metadata.managedFields`. */
export function yamlOf(value: unknown): string {
  return linesOf(withoutManagedFields(value)).join('\n');
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

function linesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.length === 0 ? ['[]'] : items.flatMap((item) => indented('- ', '  ', linesOf(item)));
  }
  if (!isRecord(value)) return [scalarOf(value)];
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return entries.length === 0 ? ['{}'] : entries.flatMap(([name, member]) => memberLines(name, member));
}

function memberLines(name: string, member: unknown): readonly string[] {
  const lines = linesOf(member);
  const key = plainOr(name);
  const isNested = Array.isArray(member)
    ? member.length > 0
    : isRecord(member) && Object.keys(member).length > 0;
  if (!isNested) return [`${key}: ${lines[0] ?? ''}`];
  return [`${key}:`, ...(Array.isArray(member) ? lines : indented('  ', '  ', lines))];
}

function indented(first: string, others: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => `${index === 0 ? first : others}${line}`);
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
