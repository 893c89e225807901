/** Values as TypeScript code. */

/** Columns that code on one line may have. */
const width = 100;

/** Returns a value of JSON as an expression; lines after the first are indented by `depth` levels. */
export function literalOf(value: unknown, depth = 0): string {
  const line = inline(value);
  if (line.length + depth * 2 <= width && !line.includes('\n')) return line;
  const [inner, outer] = ['  '.repeat(depth + 1), '  '.repeat(depth)];
  if (Array.isArray(value))
    return `[\n${value.map((item: unknown) => `${inner}${literalOf(item, depth + 1)},\n`).join('')}${outer}]`;
  if (typeof value !== 'object' || value === null) return line;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const lines = members.map(([name, member]) => `${inner}${keyOf(name)}: ${literalOf(member, depth + 1)},\n`);
  return `{\n${lines.join('')}${outer}}`;
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value === 'string') return stringOf(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return '{}';
  return `{ ${members.map(([name, member]) => `${keyOf(name)}: ${inline(member)}`).join(', ')} }`;
}

/** The own key `__proto__` would set the prototype. */
function keyOf(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringOf(name);
}

function stringOf(text: string): string {
  // Escapes of JSON are those of JavaScript, except for the other quotation mark.
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}
