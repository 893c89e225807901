/** Text from outside becomes code only here: as a quoted string or as a property name. */

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** True when `name` may stand unquoted as a property name. */
export function isIdentifier(name: string): boolean {
  return identifier.test(name);
}

/** A string literal in single quotes that is valid in every position, whatever `text` holds. */
export function quoted(text: string): string {
  // JSON.stringify escapes control characters and lone surrogates; the separators end lines in old parsers.
  const body = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `'${body}'`;
}

/** `name` as a property name. */
export function propertyName(name: string): string {
  return isIdentifier(name) ? name : quoted(name);
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

/** `Core` for `core`. */
export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
