/** Limits of decoded bodies, which protect the functions that walk through them. */
import type { Json } from './json.ts';

/**
 * Maximum number of levels of a body. A real API server accepts 10,000, more than the call stack of Node
 * allows.
 */
export const maxDepth = 1_000;

/** Maximum number of values of a YAML document after its aliases are replaced. */
const maxValues = 1_000_000;

/** Returns whether JSON has more levels than the limit. Most bodies have too few brackets for that. */
export function isTooDeep(body: string): boolean {
  if (body.length <= maxDepth) return false;
  let [depth, isString] = [0, false];
  for (let index = 0; index < body.length; index += 1) {
    const code = body.charCodeAt(index);
    if (code === quote) isString = !isString;
    else if (isString) index += code === backslash ? 1 : 0;
    else if (code === openBrace || code === openBracket) depth += 1;
    else if (code === closeBrace || code === closeBracket) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

const [quote, backslash] = [0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Returns the reason why a YAML document cannot be accepted: a value with aliases is one object in memory,
 * but many in JSON.
 */
export function yamlProblem(value: Json): string | undefined {
  const sizes = new Map<object, number>();
  const sizeOf = (item: Json, depth: number): number => {
    if (typeof item !== 'object' || item === null) return 1;
    if (depth > maxDepth) return Number.NaN;
    const known = sizes.get(item);
    if (known !== undefined) return known;
    const size = Object.values(item).reduce<number>((sum, member) => sum + sizeOf(member, depth + 1), 1);
    sizes.set(item, size);
    return size;
  };
  const size = sizeOf(value, 0);
  if (Number.isNaN(size)) return 'yaml: exceeded max depth';
  return size > maxValues ? 'yaml: document contains excessive aliasing' : undefined;
}
