/** Regular expressions of schemas, which API servers compile as RE2. */

/** Constructs of other dialects, with their names. */
const unsupported: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^\(\?<?[=!]/, 'lookaround'],
  [/^\(\?>/, 'an atomic group'],
  [/^\\(?:[1-9]|k<)/, 'a back-reference'],
  [/^[*+?}]\+/, 'a possessive quantifier'],
];

/** Maximum number of repetitions in RE2. */
const maxRepeat = 1000;

/**
 * Returns why a pattern is not RE2, as far as that can be decided without a parser of RE2, or `undefined`.
 */
export function patternFault(pattern: string): string | undefined {
  let translated = '';
  for (let at = 0, isClass = false; at < pattern.length; ) {
    const rest = pattern.slice(at, at + 12);
    const found = isClass ? undefined : unsupported.find(([construct]) => construct.test(rest));
    if (found !== undefined) return `${found[1]} is not supported by RE2`;
    const [repeat, low = '0', high = low] = (!isClass && /^\{(\d+)(?:,(\d+))?/.exec(rest)) || [];
    if (repeat !== undefined && Math.max(Number(low), Number(high)) > maxRepeat)
      return `the repetition ${repeat}} exceeds ${maxRepeat}`;
    const [token, replacement] = isClass ? [unit(rest), unit(rest)] : syntaxOf(rest);
    if (token === '[' && !isClass) isClass = true;
    else if (token === ']') isClass = false;
    translated += replacement;
    at += token.length;
  }
  return syntaxFault(translated);
}

/** Returns an escape sequence, or one character. */
function unit(rest: string): string {
  return rest.startsWith('\\') ? rest.slice(0, 2) : rest.slice(0, 1);
}

/** Replaces syntax of RE2 that JavaScript lacks: flags, and names of groups with `P`. */
function syntaxOf(rest: string): readonly [token: string, replacement: string] {
  const [flags] = /^\(\?[imsU]*-?[imsU]+\)/.exec(rest) ?? [];
  if (flags !== undefined) return [flags, ''];
  const [scoped] = /^\(\?[imsU]*-?[imsU]+:/.exec(rest) ?? [];
  if (scoped !== undefined) return [scoped, '(?:'];
  if (rest.startsWith('(?P<')) return ['(?P<', '(?<'];
  // A second operator of repetition makes it lazy, or is an error in both dialects.
  return [unit(rest), unit(rest)];
}

function syntaxFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (cause) {
    return cause instanceof Error ? cause.message.replace(/^.*\/: /, '').toLowerCase() : String(cause);
  }
}
