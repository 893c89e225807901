/** Names that CEL reserves, and the escaped names of properties. */

const words: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'false',
  'for',
  'function',
  'if',
  'import',
  'in',
  'let',
  'loop',
  'package',
  'namespace',
  'null',
  'return',
  'true',
  'var',
  'void',
  'while',
]);

/** Returns whether a word cannot be a variable or function. */
export function isReserved(word: string): boolean {
  return words.has(word);
}

/** Returns the identifier with which expressions refer to a property, if it has one. */
export function escapeName(name: string): string | undefined {
  if (words.has(name)) return `__${name}__`;
  if (name === '' || /^[0-9]|[^A-Za-z0-9_./-]/.test(name)) return undefined;
  return name.replace(/__|[-./]/g, (match) => escapes[match] ?? match);
}

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};
