/**
 * kgen reads plain scalars as YAML 1.2 does (its core schema), so `on`, `yes` and `n` are text. The API server and
 * kubectl read YAML 1.1, where they are booleans, where `0644` is octal and `1_000` a number. Writers of CRDs quote
 * such text; where somebody did not, the two readings differ and a warning says so.
 */
const words: ReadonlySet<string> = new Set(
  ['y', 'n', 'yes', 'no', 'on', 'off'].flatMap((word) => [word, capital(word), word.toUpperCase()]),
);

/** What YAML 1.1 makes of an unquoted scalar that YAML 1.2 reads differently; undefined where they agree. */
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

/** Cheap, since it sees nearly every scalar of the input: a sign or a digit at the start. */
function mayBeNumber(plain: string): boolean {
  const first = plain.charCodeAt(0);
  return (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d;
}
