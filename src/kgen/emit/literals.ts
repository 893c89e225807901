/** Text from outside becomes code only here: as a quoted string or as a property name. */
import { isIdentifier } from '../words.ts';

/**
 * A string literal in single quotes that is valid in every position, whatever `text` holds. What an editor would not
 * show, or would show elsewhere, such as a change of the reading direction, is escaped.
 */
export function quoted(text: string): string {
  // JSON.stringify escapes the controls below U+0020 and lone surrogates.
  const body = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${ascii.test(body) ? body : body.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}'`;
}

/** What almost every text is made of. */
const ascii = /^[ -~]*$/;

/** `\uXXXX` for each UTF-16 unit. */
function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, unit) => {
    return `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** `name` as a property name. */
export function propertyName(name: string): string {
  return isIdentifier(name) ? name : quoted(name);
}

/** `name` as a key of an object literal, where a bare `__proto__` would be the prototype. */
export function objectKey(name: string): string {
  return name === '__proto__' ? `[${quoted(name)}]` : propertyName(name);
}

/** `name` as the name of a method of an interface, where a bare `new` would declare a constructor. */
export function methodName(name: string): string {
  return name === 'new' ? quoted(name) : propertyName(name);
}

/** A literal type or value. */
export function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}

/** An array of strings. */
export function stringArray(values: readonly string[]): string {
  return `[${values.map(quoted).join(', ')}]`;
}

/** A union of string literals. */
export function quotedUnion(values: readonly string[]): string {
  return values.map(quoted).join(' | ');
}
