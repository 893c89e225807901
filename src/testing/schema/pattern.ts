import { RE2JS } from '@bufbuild/re2';

const compiled = new Map<string, RE2JS | Error>();

/**
 * Returns whether `value` contains a match of the RE2 expression, or an Error if the pattern does not
 * compile.
 */
export function matchesPattern(pattern: string, value: string): boolean | Error {
  const matcher = compile(pattern);
  return matcher instanceof Error ? matcher : matcher.test(value);
}

function compile(pattern: string): RE2JS | Error {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const matcher = attempt(pattern);
  compiled.set(pattern, matcher);
  return matcher;
}

function attempt(pattern: string): RE2JS | Error {
  try {
    return new RE2JS(pattern);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
