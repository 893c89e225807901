/**
 * Unquoted scalars whose meaning differs between YAML 1.2 and 1.1. kgen uses the core schema of YAML 1.2, in
 * which `on`, `yes` and `n` are strings. The API server and kubectl use YAML 1.1, in which these are
 * booleans, `0644` is octal and `1_000` a number. Authors of CRDs quote such strings. If one is not quoted,
 * the two readings differ and a warning is reported.
 */
const words: ReadonlySet<string> = new Set(
  ['y', 'n', 'yes', 'no', 'on', 'off'].flatMap((word) => [word, capital(word), word.toUpperCase()]),
);

/**
 * Returns the type that YAML 1.1 assigns to an unquoted scalar if YAML 1.2 reads it differently, otherwise
 * `undefined`.
 */
export function yaml11Reading(plain: string): 'a boolean' | 'an octal number' | 'a number' | undefined {
  if (plain.length <= 3 && words.has(plain)) return 'a boolean';
  if (!mayBeNumber(plain)) return undefined;
  if (/^[-+]?0[0-7]+$/.test(plain)) return 'an octal number';
  if (/^[-+]?[1-9][0-9]*_[0-9_]*$/.test(plain)) return 'a number';
  return undefined;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** A fast check of the first character, because it is called for nearly every scalar of the input. */
function mayBeNumber(plain: string): boolean {
  const first = plain.charCodeAt(0);
  return (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d;
}
