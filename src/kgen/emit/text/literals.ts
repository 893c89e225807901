/** Strings from outside become code only through this module: as string literals or as property names. */
import { isIdentifier } from '../../common/words.ts';

/**
 * Returns a string literal in single quotes that is valid in every position, for any `text`. Characters that
 * an editor would hide or reorder, such as changes of the reading direction, are escaped.
 */
export function quoted(text: string): string {
  // JSON.stringify escapes control characters below U+0020 and lone surrogates.
  const body = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${ascii.test(body) ? body : body.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}'`;
}

/** Matches almost every string. */
const ascii = /^[ -~]*$/;

/** Returns `\uXXXX` for each UTF-16 unit. */
function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, unit) => {
    return `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** Returns `name` as a property name. */
export function propertyName(name: string): string {
  return isIdentifier(name) ? name : quoted(name);
}

/** Returns `name` as a key of an object literal, in which an unquoted `__proto__` would set the prototype. */
export function objectKey(name: string): string {
  return name === '__proto__' ? `[${quoted(name)}]` : propertyName(name);
}

/** Returns `name` as the name of an interface method. An unquoted `new` would declare a constructor. */
export function methodName(name: string): string {
  return name === 'new' ? quoted(name) : propertyName(name);
}

/** Returns a literal type or value. */
export function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}

/** Returns an array of string literals. */
export function stringArray(values: readonly string[]): string {
  return `[${values.map(quoted).join(', ')}]`;
}

/** Returns a union of string literals. */
export function quotedUnion(values: readonly string[]): string {
  return values.map(quoted).join(' | ');
}
